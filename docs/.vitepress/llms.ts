// For language models (llmstxt.org): llms.txt lists the pages, llms-full.txt has all of them. Each page is also there as
// Markdown.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme, SiteConfig } from 'vitepress';

interface Section {
  readonly text: string;
  readonly files: readonly string[];
}

/** Called when the site is built. @throws Error for a page that is not in the sidebar, or has no first sentence */
export function writeLlmsFiles({ pages, srcDir, outDir, site }: SiteConfig<DefaultTheme.Config>): void {
  const sections = sectionsOf(site.themeConfig.sidebar as DefaultTheme.SidebarItem[], pages);
  const files = ['index.md', ...sections.flatMap((section) => section.files)];
  const missing = pages.filter((page) => !files.includes(page));
  if (missing.length > 0) throw new Error(`add these pages to the sidebar in config.ts: ${missing.join(', ')}`);
  const textOf = (file: string): string => readFileSync(join(srcDir, file), 'utf8').trim();
  const lists = sections.map(
    ({ text, files }) => `## ${text}\n\n${files.map((file) => linkTo(file, textOf(file))).join('\n')}`,
  );
  const list = [`# ${site.title}`, `> ${site.description}`, ...lists].join('\n\n');
  writeFileSync(join(outDir, 'llms.txt'), `${list}\n`);
  const all = files.map((file) => `<!-- ${file} -->\n\n${textOf(file)}\n`).join('\n');
  writeFileSync(join(outDir, 'llms-full.txt'), all);
  for (const file of files) cpSync(join(srcDir, file), join(outDir, file));
}

/** The sections of the sidebar, then the decisions, which have a page that lists them. */
const sectionsOf = (sidebar: readonly DefaultTheme.SidebarItem[], pages: readonly string[]): Section[] => [
  ...sidebar.map(({ text = '', items = [] }) => ({ text, files: items.map(({ link }) => `${link?.slice(1)}.md`) })),
  { text: 'Decisions', files: pages.filter((page) => /^decisions\/\d/.test(page)).sort() },
];

/** A link with the page's heading and first sentence. */
function linkTo(file: string, page: string): string {
  const [, heading = '', paragraph = ''] =
    /^# (.*)\n\n(?:\*\*Context\.\*\* )?(`?[\w-][\s\S]*?)(?:\n\n|$)/.exec(page) ?? [];
  const [sentence] = /^.*?\.(?= |$)/.exec(plain(paragraph)) ?? [];
  if (!sentence) throw new Error(`docs/${file}: begin the page with a sentence about its topic, below the heading`);
  return `- [${plain(heading)}](${file}): ${sentence}`;
}

/** Without line breaks, links and emphasis. */
const plain = (markdown: string): string =>
  markdown
    .replaceAll('\n', ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\*+/g, '');
