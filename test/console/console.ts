// The console in process, through fetch: reads pages as text, presses buttons and follows links.
import { expect } from 'vitest';
import type { TestSachet } from '../support/sachet.ts';
import { testStage } from '../support/stage.ts';

/** A page as it was received; for `text` see `textOf`. */
type Seen = Readonly<{ status: number; html: string; text: string; headers: Headers }>;

/** @param key empty for a reader without a key */
export function consoleOf(sachet: TestSachet, sandbox = 'stage', key = sachet.adminKey) {
  async function call(method: string, path: string, raw?: string, more: Record<string, string> = {}): Promise<Seen> {
    const type = raw === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const headers = { ...(key && { authorization: `Bearer ${key}` }), ...type, ...more };
    const response = await sachet.call(method, `/_console/${path}`, { headers, ...(raw !== undefined && { raw }) });
    return { status: response.status, html: response.text, text: textOf(response.text), headers: response.headers };
  }
  /** Sends form fields to an operation; `params` are those of the operation's path. */
  const act = (operation: string, fields: Record<string, string> = {}, params: Record<string, string> = {}) =>
    call('POST', `_do/${sandbox}/${operation}?${new URLSearchParams(params)}`, `${new URLSearchParams(fields)}`);
  /** The content of a page, such as `orders/1b2c` or `requests?q=ORD`. */
  const see = (page: string) => call('GET', `_content/${sandbox}/${page}`);
  return {
    act,
    see,
    /** Any path below the console's. */
    get: (path: string, headers?: Record<string, string>) => call('GET', path, undefined, headers),
    /** Sends a form to any path below the console's. */
    send: (path: string, form: string, headers?: Record<string, string>) => call('POST', path, form, headers),
    /** Presses the button that sends a sample order. */
    async order() {
      return this.press((await see('start')).html, 'Send a sample order');
    },
    /** Presses the only button with this label, after typing values into fields, which must exist. */
    press(html: string, label: string, typed: Record<string, string> = {}): Promise<Seen> {
      for (const name of Object.keys(typed)) expect(html).toContain(` name="${name}"`);
      const forms = html.match(/<form[\s\S]*?<\/form>/g) ?? [];
      const found = forms.filter((form) => form.replaceAll(/\s+/g, ' ').includes(`>${label}</button>`));
      expect(found, `forms with the button "${label}"`).toHaveLength(1);
      const [form = ''] = found;
      const address = unescaped(/hx-post="([^"]*)"/.exec(form)?.[1] ?? '');
      const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
      const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [unescaped(name), unescaped(value)]));
      return call('POST', address, `${new URLSearchParams({ ...fields, ...typed })}`);
    },
  };
}

/** A sandbox with a client, and a page of its console; a part is the element of this tag with an id. */
export async function openPage(page: string, tag: string, options: Parameters<typeof testStage>[0] = {}) {
  const world = await testStage(options);
  const seen = consoleOf(world.sachet);
  const see = () => seen.see(page);
  const part = async (id: string) => partOf((await see()).html, tag, id);
  return {
    ...world,
    seen,
    see,
    part,
    words: async (id: string) => textOf(await part(id)),
    press: async (id: string, label: string, typed?: Record<string, string>) =>
      seen.press(await part(id), label, typed),
  };
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };
const unescaped = (text: string): string =>
  text.replaceAll(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => entities[name] ?? '');

/** Without tags, with single spaces. */
export const textOf = (html: string): string =>
  unescaped(html.replaceAll(/<[^>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The first group of every match. */
export const allOf = (html: string, pattern: RegExp): string[] =>
  Array.from(html.matchAll(pattern), ([, group = '']) => unescaped(group));

/** What each button does with a record, such as `Ship` with `the order`. */
export const buttonsIn = (html: string, record: string): string[] =>
  allOf(html, new RegExp(`<button[^>]*aria-label="([^"]*) ${record}"`, 'g'));

/** The element with this id. */
export function partOf(html: string, tag: string, id: string): string {
  const start = html.indexOf(`id="${id}"`);
  expect(start, `the position of ${id}`).toBeGreaterThan(0);
  return html.slice(html.lastIndexOf(`<${tag}`, start), html.indexOf(`</${tag}>`, start));
}

/** The ids of the rows of a list, such as those of `order-…`. */
export const idsIn = (html: string, kind: string): string[] => allOf(html, new RegExp(`<tr id="${kind}-([^"]+)"`, 'g'));

/** The target of the link with this text, in the sandbox `stage`; undefined without the link. */
export const linkIn = (html: string, text: string): string | undefined =>
  allOf(html, new RegExp(`<a [^>]*href="stage/([^"]*)"[^>]*>${text}</a>`, 'g'))[0];
