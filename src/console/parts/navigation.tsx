// The way from page to page.
import { pageAt } from '../addresses.ts';
import { type PageId, pageIds, pages } from '../pages.ts';

interface Props {
  readonly sandbox: string;
  readonly page: PageId;
}

export const Navigation = ({ sandbox, page }: Props) => (
  <nav id="pages" aria-label="Pages">
    <ul>
      {pageIds.map((id) => (
        <li>
          <a href={pageAt(sandbox, id)} aria-current={id === page ? 'page' : undefined}>
            {pages[id].title}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
