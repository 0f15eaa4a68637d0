// Reads of fulfillments against JSON made of the same objects: one page, pages that differ, and a single one.
import { bearer, read } from '../service/client.mjs';
import { withFixtures } from '../service/fixtures.mjs';
import { checkPages, pageRequest, pageSize, readPages, withoutLabels } from '../service/pages.mjs';
import { againstRaw } from './against-raw.mjs';

const pageCount = 50;
/** A page more, so that the last one has a next one, too. */
const counts = { fulfillments: (pageCount + 1) * pageSize };

/** Always the same first page. */
export async function measurePage(context) {
  const figures = await againstFixtures(context, async (sachet, token) => {
    const pages = await readPages(sachet, token, 1);
    const [{ body }] = pages;
    const check = () => checkPages(sachet, token, pages);
    return { requests: [pageRequest(token)], given: { way: 'stringify', body }, check };
  });
  return { page: figures };
}

/** Fifty pages by their cursors, in turn. */
export async function measurePages(context) {
  const figures = await againstFixtures(context, async (sachet, token) => {
    const pages = await readPages(sachet, token, pageCount);
    const requests = pages.map(({ path }) => pageRequest(token, path));
    const given = { way: 'rotate', body: `[${pages.map(({ body }) => body).join(',')}]` };
    return { requests, given, check: () => checkPages(sachet, token, pages) };
  });
  return { pages: figures };
}

/** Always the same one. */
export async function measureFulfillment(context) {
  const figures = await againstFixtures(context, async (sachet, token) => {
    const [page] = await readPages(sachet, token, 1);
    const { id } = JSON.parse(page.body).fulfillments[0];
    const path = `/v2/fulfillments/${id}`;
    const { body } = await read(sachet, token, path);
    const check = async () => checkFulfillment((await read(sachet, token, path)).body, body, id);
    return { requests: [{ path, headers: bearer(token) }], given: { way: 'stringify', body }, check };
  });
  return { fulfillment: figures };
}

function checkFulfillment(body, before, id) {
  if (JSON.parse(body).fulfillment.id !== id) throw new Error(`another fulfillment than ${id} was answered`);
  if (withoutLabels(body) !== withoutLabels(before)) throw new Error(`${id} is not answered as before the load`);
}

function againstFixtures(context, prepare) {
  return withFixtures(counts, (fixtures) => againstRaw(context, ['--fixtures', fixtures], prepare));
}
