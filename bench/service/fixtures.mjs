// Fixtures of a size: the shipped ones, with as many products, orders and fulfillments of the first brand as a measurement asks for.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFolder } from '../folders.mjs';

const shipped = new URL('../../fixtures/', import.meta.url);
/** What is written into one file: a text of V8 holds half a gigabyte at most. */
const recordsPerFile = 100_000;
const idBlocks = { products: '7a', orders: '7b', fulfillments: '7c' };

/**
 * Gives `use` a folder for `--fixtures`, and removes it behind that.
 * @param counts how many records of a collection the first brand has, such as `{ products: 20 }`; all others are as shipped
 */
export function withFixtures(counts, use) {
  return withFolder((folder) => writeFixtures(folder, counts), use);
}

function writeFixtures(folder, counts) {
  const collections = readShipped();
  const brand = collections.brands[0].id;
  for (const [name, count] of Object.entries(counts)) {
    writeRecords(folder, name, sizedTo(collections[name], name, brand, count));
    delete collections[name];
  }
  writeFileSync(join(folder, '0-others.json'), JSON.stringify(collections));
}

function readShipped() {
  const names = readdirSync(shipped).filter((name) => name.endsWith('.json'));
  return Object.assign({}, ...names.map((name) => JSON.parse(readFileSync(new URL(name, shipped), 'utf8'))));
}

// The shipped records stay, since others name them; further ones are like the brand's own, in turn, under ids of their own.
function* sizedTo(records, name, brand, count) {
  yield* records;
  const own = records.filter(({ brand_id }) => brand_id === brand);
  const models = own.filter(({ active = true, status = 'Pending' }) => active && status === 'Pending');
  for (let number = own.length; number < count; number += 1) {
    yield alike(models[number % models.length], name, number);
  }
}

/** The id of the record that stands at `number` of the first brand's, where it was made here. */
export function madeId(name, number) {
  return `${idBlocks[name]}000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

function alike(model, name, number) {
  const made = { ...model, id: madeId(name, number) };
  if (name !== 'orders') return made;
  const lineId = (at) => `7d00000${at}${made.id.slice(8)}`;
  return { ...made, order_lines: model.order_lines.map((line, at) => ({ ...line, id: lineId(at) })) };
}

function writeRecords(folder, name, records) {
  let chunk = [];
  let files = 0;
  const write = () => {
    files += 1;
    writeFileSync(join(folder, `${name}-${String(files).padStart(4, '0')}.json`), `{"${name}":[${chunk.join(',')}]}`);
    chunk = [];
  };
  for (const record of records) {
    chunk.push(JSON.stringify(record));
    if (chunk.length === recordsPerFile) write();
  }
  if (chunk.length > 0) write();
}
