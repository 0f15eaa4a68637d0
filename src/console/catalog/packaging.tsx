// What orders are packed in: the PAGs, which hold an order up where they are not Active, and the ready-made packs.
import type { ShownCatalog, ShownPag } from '../../control/shown-catalog.ts';
import { pageAt } from '../addresses.ts';
import { Empty } from '../parts/empty.tsx';
import { Listed, More, Named, State } from './listed.tsx';
import { Toggle } from './toggle.tsx';

export const Pags = ({ sandbox, shown: { pags } }: { readonly sandbox: string; readonly shown: ShownCatalog }) => (
  <>
    <h2>Packaging (PAGs)</h2>
    {pags.rows.length === 0 && <Empty title="There is no packaging: every order is refused (ORD-21)." />}
    {pags.rows.length > 0 && (
      <Listed caption="Packaging Asset Groups" titles={['Name', 'Brand', 'Duration', 'Status', 'Change']}>
        {pags.rows.map((one) => (
          <PagRow sandbox={sandbox} shown={one} />
        ))}
      </Listed>
    )}
    <More of={pags} what="PAGs" />
  </>
);

interface RowProps {
  readonly sandbox: string;
  readonly shown: ShownPag;
}

const PagRow = ({ sandbox, shown: { pag, brand, isBent } }: RowProps) => {
  const isActive = pag.status === 'Active';
  return (
    <tr id={`pag-${pag.id}`}>
      <Named name={pag.name} id={pag.id} />
      <td>{brand}</td>
      <td>{pag.duration === null ? 'any duration' : `duration ${pag.duration}`}</td>
      <td>
        <State isGood={isActive}>{pag.status}</State>
        {isBent && (
          <>
            {' '}
            <a href={pageAt(sandbox, 'switches')}>inactive by a switch</a>
          </>
        )}
      </td>
      <td>
        <Toggle
          sandbox={sandbox}
          of="records.pags.update"
          id={pag.id}
          name={pag.name}
          field="status"
          value={isActive ? 'Inactive' : 'Active'}
          label={isActive ? 'Deactivate' : 'Activate'}
        />
      </td>
    </tr>
  );
};

export const Packs = ({ shown: { packs } }: { readonly shown: ShownCatalog }) => (
  <>
    <h2>Packs</h2>
    {packs.rows.length === 0 && <Empty title="This sandbox has no packs." />}
    {packs.rows.length > 0 && (
      <Listed caption="Ready-made packs" titles={['Pack', 'Brand']}>
        {packs.rows.map(({ pack: { id, name }, brand }) => (
          <tr id={`pack-${id}`}>
            <Named name={name} id={id} />
            <td>{brand}</td>
          </tr>
        ))}
      </Listed>
    )}
    <More of={packs} what="packs" />
  </>
);
