// Catalog and packaging: what can be ordered, and what becomes of an order by its products and its packaging.
import { shownCatalog } from '../../control/shown-catalog.ts';
import { Rules } from '../parts/rules.tsx';
import type { Visit } from '../visit.ts';
import { Packs, Pags } from './packaging.tsx';
import { OperatorProducts, Products } from './products.tsx';

export async function catalogPage({ sandbox, call }: Visit) {
  const shown = await sandbox.readAt(call.machineTime, (draft) => shownCatalog(draft));
  const { name } = sandbox;
  return (
    <section>
      <div class="head">
        <h1>Catalog and packaging</h1>
      </div>
      <p class="lead">
        An order is refused for a product that is inactive by <Rules rules={['ORD-19']} />, for one that is discontinued
        behind it by <Rules rules={['ORD-20']} />. One whose packaging is not Active is made, and waits as Needs
        Changes.
      </p>
      <Products sandbox={name} shown={shown} />
      <OperatorProducts sandbox={name} shown={shown} />
      <Pags sandbox={name} shown={shown} />
      <Packs shown={shown} />
    </section>
  );
}
