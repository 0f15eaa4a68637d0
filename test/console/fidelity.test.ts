// The page Fidelity: assumptions with what recordings of the service show, the button that uses it, findings, and the upload of a HAR file.
import { describe, expect, test } from 'vitest';
import { assumptionIds } from '../../src/contract/assumptions.ts';
import type { LearnedReport } from '../../src/contract/observations.ts';
import { evidence, harOf, reportOf } from '../support/recordings.ts';
import { scenariosOf } from '../support/scenarios.ts';
import { testStage } from '../support/stage.ts';
import { allOf, consoleOf, idsIn, partOf, textOf } from './console.ts';

/** The page of a sandbox with this report. */
async function learned(report?: LearnedReport, options: Parameters<typeof testStage>[0] = {}) {
  const world = await testStage(options);
  if (report) await world.stage.state.put({ ...(await world.stage.state.get()), observations: report });
  const seen = consoleOf(world.sachet);
  const see = (query = '') => seen.see(`fidelity${query}`);
  return {
    ...world,
    seen,
    see,
    row: async (id: string) => textOf(partOf((await see()).html, 'tr', `fidelity-${id}`)),
    shown: async (query: string) => idsIn((await see(query)).html, 'fidelity'),
  };
}

const settled = (allowed: string) => ({ allowed: [allowed], evidence });
const report = reportOf(
  {
    next_cursor: settled('meta'),
    list_order: settled('oldest_first'),
    absent_values: settled('null'),
    business_rule_status: { allowed: ['400', 'per_kind'], evidence, next: 'Order a product of `another` client.' },
    max_limit: { next: 'Ask for 51 results.' },
  },
  {
    skipped: { 'the answer has no body': 2 },
    facts: { page_size: 50, administration_times: ['Dawn', 'Dusk'] },
    findings: [
      {
        rules: ['ORD-1', 'next_cursor'],
        problems: ['The status is 418; `201` is allowed.', 'The body is empty.'],
        count: 4,
        evidence: { ...evidence, call: 'POST /v2/orders → 418' },
        request: 'POST /v2/orders {"a":1}',
        answer: '418 {"message": "cut he',
      },
    ],
  },
);

describe('the page', () => {
  test('without a recording says how to make one, and lists every assumption as open', async () => {
    const { see, row, shown } = await learned();
    const { html, text } = await see();
    for (const part of ['No recording of the service', 'export all requests as HAR', 'mitmproxy', 'sachet learn'])
      expect(text).toContain(part);
    expect(idsIn(html, 'fidelity')).toEqual(assumptionIds);
    expect(await row('next_cursor')).toMatch(/how the next cursor is returned default body chosen body observed —/);
    for (const part of ['differs', 'Findings', 'Other values', 'Use the observed', 'Forget'])
      expect(text).not.toContain(part);
    expect(await shown('?show=settled')).toEqual([]);
    expect(await shown('?show=open')).toEqual(assumptionIds);
  });

  test('shows the observed choices with their evidence; those that differ from the chosen ones come first', async () => {
    const { see, row, shown } = await learned(report);
    const { html, text } = await see();
    expect(idsIn(html, 'fidelity').slice(0, 5)).toEqual([
      'business_rule_status',
      'next_cursor',
      'list_order',
      'absent_values',
      'validation_placement',
    ]);
    expect(html.match(/>differs</g)).toHaveLength(3);
    expect(await row('next_cursor')).toMatch(
      /differs how .* default body chosen body observed meta GET \/v2\/fulfillments → 200 Nov 20, 2026, 12:00:00 UTC · real.har$/,
    );
    expect(await row('business_rule_status')).toMatch(
      /observed open: 400 or per_kind .* To decide it: Order a product of another client\.$/,
    );
    expect(await row('max_limit')).toMatch(/observed — To decide it: Ask for 51 results\.$/);
    expect(await row('absent_values')).not.toContain('differs');
    for (const part of [
      '3 calls of the service read, not judged: 2 (the answer has no body).',
      'Page size 50 results',
      'time_of_administration Dawn, Dusk',
    ])
      expect(text).toContain(part);
    expect(await shown('?show=different')).toEqual(['business_rule_status', 'next_cursor', 'list_order']);
    expect(await shown('?show=settled')).toEqual(['next_cursor', 'list_order', 'absent_values']);
    expect(await shown('?q=real.har')).toHaveLength(4);
    expect(await shown('?show=settled&q=next cursor')).toEqual(['next_cursor']);
    expect((await see('?q=nothing of this')).text).toContain('No assumption here matches “nothing of this”.');
    // An unknown filter shows all.
    expect(await shown('?show=constructor')).toHaveLength(assumptionIds.length);
  });

  test('shows the findings with request and answer', async () => {
    const { see } = await learned(report);
    const { html } = await see();
    expect(textOf(partOf(html, 'li', 'finding-0'))).toBe(
      'POST /v2/orders → 418 4 calls, first Nov 20, 2026, 12:00:00 UTC · real.har ' +
        'The status is 418; 201 is allowed. The body is empty. ORD-1 next_cursor ' +
        'Request and answer Request POST /v2/orders { "a": 1 } Answer 418 {"message": "cut he',
    );
  });

  test('shows the evidence of the config until a recording decides otherwise', async () => {
    const config = {
      assumptions: { next_cursor: 'header', max_limit: '50' },
      verified: {
        next_cursor: { ...evidence, source: 'config.har' },
        max_limit: { ...evidence, source: 'config.har' },
      },
      facts: { page_size: 7 },
    } as const;
    const { see, row, seen } = await learned(undefined, { config });
    expect((await see()).text).toContain('Page size 7 results');
    expect((await see()).text).not.toContain('No recording of the service');
    expect(await row('next_cursor')).toMatch(/observed header .* · config\.har$/);
    const after = await learned(report, { config });
    expect(await after.row('next_cursor')).toMatch(/observed meta .* · real\.har$/);
    expect(await after.row('max_limit')).toMatch(/observed 50 .* · config\.har$/);
    expect((await seen.act('observations.clear')).status).toBe(200);
  });

  test('names the scenario that decides a choice', async () => {
    const scenarios = scenariosOf({ 'other-cursor': { assumptions: { next_cursor: 'link_header' } } });
    const { stage, row } = await learned(report, { scenarios });
    await stage.scenarios.apply('other-cursor');
    expect(await row('next_cursor')).toMatch(/differs .* chosen link_header Set by the scenario Other cursor/);
  });

  test('shows hostile texts of a recording as text', async () => {
    const hostile = '<img src=x onerror=alert(1)>"><script>alert(2)</script>';
    const finding = {
      rules: [hostile],
      problems: [`${hostile} \`${hostile}\``],
      count: 1,
      evidence: { at: evidence.at, source: hostile, call: hostile },
      request: hostile,
      answer: hostile,
    };
    const seen = { allowed: ['meta'], evidence: finding.evidence, next: hostile };
    const changes = { findings: [finding], skipped: { [hostile]: 1 }, facts: { administration_times: [hostile] } };
    const { see } = await learned(reportOf({ next_cursor: seen }, changes));
    const { html, text } = await see();
    expect(html).not.toMatch(/<img|<script/);
    expect(text.split(hostile).length).toBeGreaterThan(9);
  });
});

describe('the button', () => {
  test('lists the settled choices that differ, sets only them, and is gone then; the recording can be forgotten', async () => {
    const { see, seen, stage } = await learned(report);
    const before = await stage.assumptions.get();
    const { html } = await see();
    const dialog = textOf(partOf(html, 'dialog', 'use-observed'));
    expect(dialog).toMatch(/next_cursor body meta .*list_order newest_first oldest_first Change 2 assumptions$/);
    const changed = await seen.press(html, 'Change 2 assumptions');
    expect([changed.status, changed.text]).toEqual([200, '2 assumptions changed.']);
    expect(await stage.assumptions.get()).toEqual({ ...before, next_cursor: 'meta', list_order: 'oldest_first' });
    const after = await see();
    expect(after.text).not.toContain('Use the observed choices');
    expect(allOf(after.html, /<tr id="fidelity-([^"]*)"/g)[0]).toBe('business_rule_status');
    await seen.press(after.html, 'Forget the recording');
    expect((await see()).text).toContain('No recording of the service');
    expect((await stage.assumptions.get()).next_cursor).toBe('meta');
  });
});

describe('an upload', () => {
  async function uploading() {
    const world = await learned();
    /** Sends a file as the form of the page does. */
    const send = async (content: string | undefined, name = 'real.har') => {
      const form = new FormData();
      if (content !== undefined) form.set('file', new File([content], name));
      const encoded = new Response(form);
      const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
      return world.seen.send(
        String(allOf((await world.see()).html, /hx-post="(_recording[^"]*)"/g)),
        await encoded.text(),
        headers,
      );
    };
    return { ...world, send };
  }

  test('is read under the name of the file', async () => {
    const { client, stage, send, row, see } = await uploading();
    await client.get('/v2/fulfillments?limit=1');
    const { status, text, headers } = await send(JSON.stringify(await stage.requests.har()), 'my <b>.har');
    expect([status, text, headers.get('hx-trigger')]).toEqual([200, '2 calls of the service read.', 'changed']);
    expect(await row('next_cursor')).toMatch(/observed body GET \/v2\/fulfillments.* · my <b>\.har$/);
    expect((await see()).text).not.toContain('No recording of the service');
  });

  test('without a file, or of something else, is rejected and says what to do', async () => {
    const { send, seen, stage } = await uploading();
    const other = JSON.stringify(harOf({ call: 'GET https://real.example/', status: 200, body: {} }));
    for (const [content, status, words] of [
      [undefined, 400, 'The form has no file, or an empty one. Choose a file'],
      ['', 400, 'The form has no file, or an empty one'],
      ['GIF89a', 400, 'The file "real.har" is not JSON. Choose a HAR file'],
      ['{}', 422, 'expected a HAR document'],
      [other, 422, 'The recording has no answered call of the service'],
    ] as const) {
      const rejected = await send(content);
      expect([rejected.status, rejected.text], String(content)).toEqual([status, expect.stringContaining(words)]);
    }
    const form = await seen.send('_recording/stage', 'file=x');
    expect([form.status, form.text]).toEqual([400, expect.stringContaining('The form has no file')]);
    const huge = await seen.send('_recording/stage', 'x', { 'content-length': String(2 ** 27) });
    expect([huge.status, huge.text]).toEqual([413, expect.stringContaining('sachet learn')]);
    expect((await consoleOf(await sachetOf(), 'stage', '').send('_recording/stage', 'x')).status).toBe(401);
    expect((await stage.observations.get()).calls).toBe(0);
  });
});

const sachetOf = async () => (await testStage()).sachet;
