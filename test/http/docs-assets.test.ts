// What the reference's page loads: as it stands in the package, asked for anew only where it changed.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { docsPath } from '../../src/contract/addresses.ts';
import { testSachet } from '../support/sachet.ts';

const assetNames = ['swagger-ui-bundle.js', 'swagger-ui.css', 'start.js', 'page.css'];

const fileOf = (name: string): string => {
  const folder = name.startsWith('swagger-ui') ? '../../node_modules/swagger-ui-dist/' : '../../src/http/docs/';
  return readFileSync(fileURLToPath(new URL(folder + name, import.meta.url)), 'utf8');
};

describe.each(assetNames)('%s', (name) => {
  const path = `${docsPath}/${name}`;

  test('is served as it stands in the package, under every base URL, also of a sandbox that is not there', async () => {
    const sachet = testSachet();
    for (const base of ['', '/sandboxes/production', '/sandboxes/nobody']) {
      const { status, text } = await sachet.call('GET', base + path);
      expect(status).toBe(200);
      expect(fileOf(name).startsWith(text)).toBe(true);
      expect(fileOf(name).slice(text.length)).toMatch(/^(?:\/[/*]# sourceMappingURL=\S+\s*)?$/);
    }
  });

  test('has its type, and may be kept but is asked about', async () => {
    const { headers } = await testSachet().call('GET', path);
    expect(Object.fromEntries(headers)).toEqual({
      'content-type': name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  test('is not sent again to who has it', async () => {
    const sachet = testSachet();
    const etag = (await sachet.call('GET', path)).headers.get('etag') ?? '';
    const asked = async (tags: string) => {
      const { status, text, headers } = await sachet.call('GET', path, { headers: { 'if-none-match': tags } });
      return [status, text.length > 0, headers.get('etag')];
    };
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`]) expect(await asked(tags)).toEqual([304, false, etag]);
    for (const tags of ['"other"', etag.slice(1, -1)]) expect(await asked(tags)).toEqual([200, true, etag]);
  });

  test('answers HEAD without its text', async () => {
    const { status, text, headers } = await testSachet().call('HEAD', path);
    expect([status, text, headers.get('etag')?.length]).toEqual([200, '', 34]);
  });
});

test('each has an ETag of its own', async () => {
  const sachet = testSachet();
  const etags = await Promise.all(
    assetNames.map(async (name) => (await sachet.call('GET', `${docsPath}/${name}`)).headers.get('etag')),
  );
  expect(new Set(etags).size).toBe(assetNames.length);
});

test('no style and no script of the reference names another server to load from', async () => {
  const sachet = testSachet();
  for (const name of ['start.js', 'page.css'])
    expect((await sachet.call('GET', `${docsPath}/${name}`)).text).not.toContain('//www');
  const { text } = await sachet.call('GET', `${docsPath}/swagger-ui.css`);
  expect(text).not.toMatch(/@import|url\(["']?(?!["']?data:)/);
});
