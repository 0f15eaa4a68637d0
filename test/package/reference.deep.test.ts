// The reference and what makes the OpenAPI documents, in the package: in files of their own, which no start loads, with the licenses of all
// that the reference holds.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dist, loadedBy, textOf } from '../support/built-files.ts';
import { root } from '../support/command.ts';

const built = readdirSync(dist).filter((file) => file.endsWith('.js'));

/** What is loaded late, by a text that it alone holds, and the files that load it as soon as they are loaded themselves. */
describe.each([
  { late: "swagger-ui's script", text: 'SwaggerUIBundle=', loaders: [] },
  { late: 'zod-openapi', text: 'node_modules/zod-openapi/', loaders: ['control-document.js', 'service-document.js'] },
])('$late', ({ text, loaders }) => {
  const [holder = '', ...others] = built.filter((file) => textOf(file).includes(text));

  test('stands in one file', () => {
    expect(holder).toMatch(/\.js$/);
    expect(others).toEqual([]);
  });

  test('is loaded later at most, by every other file', () => {
    const atOnce = built.filter((file) => loadedBy(file, false).has(holder));
    expect(atOnce.sort()).toEqual([holder, ...loaders].sort());
  });

  test.each(['cli.js', 'index.js'])('is at hand of %s', (entry) => {
    expect([...loadedBy(entry, true).keys()]).toContain(holder);
  });
});

test.each(['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'])("the reference's %s is told", (file) => {
  const text = readFileSync(join(root, 'node_modules/swagger-ui-dist', file), 'utf8').trim();
  expect(textOf('licenses.txt')).toContain(text);
});
