// The entry `sachet` and all that it loads, at once or later, run wherever Web APIs do: nothing of Node is imported, and no other package.
import { expect, test } from 'vitest';
import { dist, loadedBy } from '../support/built-files.ts';
import { root } from '../support/command.ts';
import { ended } from './package-folder.ts';

/** What is imported that is no file of the package. */
const foreignOf = (entry: string) =>
  [...loadedBy(entry, true).values()].flat().filter((target) => !target.startsWith('./'));

test('the library imports files of its own alone', () => {
  const files = [...loadedBy('index.js', true).keys()];
  // The two libraries of labels, which are loaded with the first label.
  expect(files.length).toBeGreaterThan(4);
  expect(foreignOf('index.js')).toEqual([]);
});

test('the part for Node imports Node’s modules, and no package', () => {
  const foreign = foreignOf('node.js');
  expect(foreign).toContain('node:http');
  expect(foreign.filter((target) => !target.startsWith('node:'))).toEqual([]);
});

test.each(['vitest.js', 'vitest-server.js'])('of other packages %s imports vitest at most', (entry) => {
  expect(foreignOf(entry).filter((target) => !/^(?:node:|vitest$)/.test(target))).toEqual([]);
});

test('the library needs no global of Node: an order, a check of an e-mail, a label', async () => {
  const args = ['--experimental-vm-modules', '--no-warnings', 'test/package/web-globals.mjs', dist];
  expect(await ended(root, process.execPath, args)).toEqual({ code: 0, stdout: '[201,422,"%PDF-"]\n', stderr: '' });
});
