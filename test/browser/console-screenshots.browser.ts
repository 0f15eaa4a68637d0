// Screenshots of every page of the console, in light and dark. UPDATE_DOCS=1 writes them to docs/console; without it, they go to a temporary folder.
// docs/guide/console.md must show all of them.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { consolePath } from '../../src/contract/addresses.ts';
import { root } from '../support/command.ts';
import { consoleServer, settled, useConsole } from '../support/console-page.ts';
import { sceneOf } from '../support/console-scene.ts';

const open = useConsole();
const kept = join(root, 'docs/console');
const schemes = ['light', 'dark'] as const;

function folder(): string {
  if (process.env.UPDATE_DOCS) return kept;
  const made = mkdtempSync(join(tmpdir(), 'sachet-screenshots-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

test('every page has its screenshots', { timeout: 120_000 }, async () => {
  const server = await consoleServer();
  const { paths } = await sceneOf(server);
  const to = folder();
  for (const colorScheme of schemes) {
    const { page } = await open(server, 'stage/requests', { colorScheme, viewport: { width: 1280, height: 800 } });
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(`${server.url}${consolePath}/${path}`);
      await settled(page);
      await page.screenshot({ path: join(to, `${name}-${colorScheme}.png`), animations: 'disabled' });
    }
  }
  const files = Object.keys(paths).flatMap((name) => schemes.map((scheme) => `${name}-${scheme}.png`));
  expect(readdirSync(to).sort()).toEqual(files.sort());
  expect(readdirSync(kept).sort()).toEqual(files.sort());
  const shown =
    readFileSync(join(root, 'docs/guide/console.md'), 'utf8').match(/(?<="\.\.\/console\/)[\w-]+\.png/g) ?? [];
  expect(shown.toSorted()).toEqual(files.sort());
});
