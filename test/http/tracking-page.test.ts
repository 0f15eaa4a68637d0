// The sandbox's own tracking page: what it tells, in which order, and that no value of a record becomes markup.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Page } from '../../src/http/markup.ts';
import { noSuchPackagePage, noSuchSandboxPage, type TrackedPackage, trackingPage } from '../../src/http/tracking.ts';
import { tracked } from '../support/tracked-package.ts';

const hostile = `<script>alert('1')</script><!--" & ' &amp;`;
const asText = '&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&lt;!--&quot; &amp; &#39; &amp;amp;';

const pages: [string, Page][] = [
  ['a package', trackingPage(tracked)],
  ['no package', noSuchPackagePage('1Z')],
  ['no sandbox', noSuchSandboxPage('w1')],
];
const elementsIn = ({ body }: Page): string[] => body.match(/<\/?[a-z][^>]*>/gi) ?? [];
/** The start of every tag, and how many characters could begin or end one. */
const structureOf = (page: Page): string => {
  const tags = elementsIn(page).map((tag) => /^<\/?\w+/.exec(tag)?.[0]);
  return `${tags.join('')} ${page.body.replaceAll(/[^<>"]/g, '').length}`;
};
/** The text that a reader sees. */
const textOf = ({ body }: Page): string =>
  body
    .replace(/<style>[\s\S]*<\/style>/, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

describe('a package', () => {
  const page = trackingPage(tracked);

  test('is told with its status as the heading', () => {
    expect(page.status).toBe(200);
    expect(page.body).toContain('<title>Delivered – UPS 1ZA10E830367228528</title>');
    expect(page.body).toContain('<main aria-labelledby="heading">\n<h1 id="heading">Delivered</h1>');
  });

  test('is told with its number, its carrier, its order and its delivery', () => {
    expect(textOf(page)).toContain(
      'Tracking number 1ZA10E830367228528 Carrier UPS Service Ground Order 100017 Delivered Nov 20, 2026, 09:30:15 UTC',
    );
  });

  test('has no delivery while it is on its way', () => {
    const { body } = trackingPage({ ...tracked, status: 'In transit', events: [], deliveredAt: null });
    expect(body).not.toContain('Delivered');
  });

  test('has its events in the order given, each with its time', () => {
    const [list = ''] = /<ol[\s\S]*<\/ol>/.exec(page.body) ?? [];
    expect(list.replaceAll('\n', '')).toBe(
      '<ol reversed role="list">' +
        '<li>Delivered <time datetime="2026-11-20T09:30:15.000Z" title="2026-11-20T09:30:15.000Z">Nov 20, 2026, 09:30:15 UTC</time></li>' +
        '<li>Picked up <time datetime="2026-11-18T16:05:00.000Z" title="2026-11-18T16:05:00.000Z">Nov 18, 2026, 16:05:00 UTC</time></li></ol>',
    );
  });

  test('without events says so', () => {
    const empty = trackingPage({ ...tracked, events: [] });
    expect(textOf(empty)).toContain('History Nothing has been reported yet.');
    expect(empty.body).not.toContain('<ol');
  });

  test('says whose page it is and by which clock', () => {
    expect(textOf(page)).toContain(
      'The sandbox made this page: no carrier has this package. ' +
        'Times are those of the clock of the sandbox “stage”, which shows Nov 20, 2026, 12:00:00 UTC .',
    );
  });
});

test.each([
  ['package', noSuchPackagePage],
  ['sandbox', noSuchSandboxPage],
])('a %s that is not there is told by its name', (what, pageOf) => {
  const page = pageOf('1Z<b>');
  expect(page.status).toBe(404);
  expect(page.body).toContain(`<h1 id="heading">${what === 'package' ? 'Package' : 'Sandbox'} not found</h1>`);
  expect(page.body).toContain('<p>1Z&lt;b&gt;</p>');
});

describe.each(pages)('the page of %s', (_, page) => {
  test('has an outline that any reader understands', () => {
    expect(page.body).toMatch(/^<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n/);
    expect(page.body).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
    for (const name of ['title', 'main', 'h1', 'footer', 'style']) {
      expect(elementsIn(page).filter((tag) => new RegExp(`^<${name}\\b`).test(tag))).toHaveLength(1);
    }
  });

  test('runs nothing and leads nowhere', () => {
    expect(page.body).not.toMatch(/<script|<form|<a |\son\w+=|style="|src=|https?:|url\(|@import/i);
    expect(page.body.match(/href="[^"]*"/g)).toEqual(['href="data:,"']);
  });

  test('loads nothing and is kept nowhere, by its headers', () => {
    const { 'content-security-policy': policy, ...others } = page.headers;
    expect(others).toEqual({
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:; /);
    expect(policy).toMatch(/; base-uri 'none'; form-action 'none'$/);
  });

  test('has the style that its policy admits', () => {
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(page.body) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page.headers['content-security-policy']).toContain(`style-src 'sha256-${hash}';`);
  });
});

describe('no value becomes markup', () => {
  const valuesOf = (value: string): TrackedPackage => ({
    ...tracked,
    carrier: value,
    method: value,
    trackingNumber: value,
    status: value,
    events: [{ at: tracked.now, name: value }],
    sandbox: value,
    orderNumber: value,
  });

  test('wherever it stands', () => {
    const { body } = trackingPage(valuesOf(hostile));
    expect(body).not.toContain('<script');
    // The status, the carrier and the number stand in the title too.
    expect(body.split(asText)).toHaveLength(11);
    for (const page of [noSuchPackagePage(hostile), noSuchSandboxPage(hostile)]) {
      expect(page.body.split(asText)).toHaveLength(2);
    }
  });

  test('whatever it is', () => {
    const signs = [...'<>"\'&/=!-;$`{} x\n\0\ud800\u2028😀', '</style>', '</title>', '&lt;', '-->'];
    const value = fc.array(fc.constantFrom(...signs), { maxLength: 20 }).map((parts) => parts.join(''));
    const structures = (text: string) =>
      [trackingPage(valuesOf(text)), noSuchPackagePage(text), noSuchSandboxPage(text)].map(structureOf);
    const plain = structures('x');
    fc.assert(
      fc.property(value, (text) => {
        expect(structures(text)).toEqual(plain);
      }),
    );
  });

  test('a number of 10 kB is shown whole', () => {
    const long = '9'.repeat(10_000);
    expect(noSuchPackagePage(long).body).toContain(`<p>${long}</p>`);
    expect(trackingPage({ ...tracked, trackingNumber: long }).body).toContain(`<dd>${long}</dd>`);
  });
});
