// The Markdown report of a certification.
import { expect, test } from 'vitest';
import { type Certification, type ScenarioResult, toMarkdown } from '../../src/node/certify/report.ts';

const passed: ScenarioResult = {
  ...{ name: 'no-pag', intent: 'No packaging.', right_client: 'Gives up.' },
  ...{ outcome: 'pass', note: null, duration_ms: 123 },
  expect: [{ match: { operation: 'orders.create', rule: 'ORD-21' }, count: 1, came: 1, satisfied: true }],
  outcomes: [{ id: 'label_downloaded', reached: true }],
  conduct: [{ id: 'no_refused_repeat', outcome: 'pass', evidence: [], advice: 'Mend it.' }],
  evidence: [],
};
const certification: Certification = {
  ...{ version: '1.2.3', server_version: '1.2.4', seed: 'certify', sandbox: 'stage', assumptions: {} },
  ...{ started_at: '2026-01-02T03:04:05.678Z', finished_at: '2026-01-02T03:05:05.678Z' },
  ...{ client: ['node', 'client.mjs'], certified: true, left_out: [], scenarios: [passed] },
};

const failed: ScenarioResult = {
  ...{ name: 'lost-answer', intent: 'The answer is lost.', right_client: 'Looks.' },
  ...{
    outcome: 'fail',
    note: 'the client ended with exit code 3\nIts last output:\n# Oh *no* | <b>',
    duration_ms: 2000,
  },
  expect: [
    { match: { operation: 'orders.create', status: 201 }, count: { at_least: 1 }, came: 1, satisfied: true },
    { match: { method: 'GET', path: '/v2/orders', body: { a: '|' } }, count: 0, came: null, satisfied: false },
  ],
  outcomes: [{ id: 'order_followed', reached: false }],
  conduct: [
    { id: 'no_double_submit', outcome: 'fail', evidence: ['a'], advice: 'It came twice.' },
    { id: 'needs_changes', outcome: 'not_exercised', evidence: [], advice: 'Take it.' },
  ],
  evidence: [
    {
      ...{ id: 'a', received_at: '2026-01-02T03:04:05.678Z', method: 'POST', path: '/v2/orders', status: null },
      rules: ['ORD-20', 'ORD-21'],
      sentence: 'consumer.name is "`a|b`". Assumed: list_order=newest_first, rate_limit=off.',
    },
  ],
};

test('the report of a client that is not certified has everything about the failed scenario first', () => {
  const report = toMarkdown({
    ...{ ...certification, certified: false, client: null, left_out: ['no_pag', 'maintenance'] },
    ...{ assumptions: { next_cursor: 'meta', list_order: 'oldest_first' }, scenarios: [passed, failed] },
  });
  expect(report.startsWith('# Not certified\n\n1 of 2 scenarios passed. Not run: no_pag, maintenance.\n')).toBe(true);
  expect(report.split('\n')).toEqual(
    expect.arrayContaining([
      '| assumptions | next_cursor=meta, list_order=oldest_first |',
      '| client | run separately |',
      '| lost-answer | fail | 2.0 | the client ended with exit code 3 |',
    ]),
  );
  expect(report.slice(report.indexOf('## '), report.indexOf('## Passed: no-pag'))).toBe(`## Failed: lost-answer

Intent: The answer is lost.

A correct client: Looks.

What happened: the client ended with exit code 3<br>Its last output:<br>\\# Oh \\*no\\* \\| \\<b\\>

| calls | expected | came | as expected |
| --- | --- | --- | --- |
| orders.create, status 201 | at least 1 | 1 | yes |
| GET /v2/orders, body {"a":"\\|"} | exactly 0 | unknown | **no** |

| outcome | reached | what the client has to do |
| --- | --- | --- |
| order_followed | **no** | read every order that it placed, or the fulfillments of that order, by the id of the order |

| conduct rule | outcome | advice |
| --- | --- | --- |
| no_double_submit | **fail** | It came twice. |
| needs_changes | **not_exercised** | Take it. |

| received at | call | status | rules | why |
| --- | --- | --- | --- | --- |
| 2026-01-02T03:04:05.678Z | POST /v2/orders | no response | ORD-20, ORD-21 | consumer.name is "\\\`a\\|b\\\`". |

`);
});

test('the title says if scenarios were left out', () => {
  const report = toMarkdown({ ...certification, left_out: ['lost-answer', 'maintenance'] });
  expect(report.startsWith('# Certified for 1 of 3 scenarios\n\n1 of 1 scenarios passed. Not run: ')).toBe(true);
});

test('texts from elsewhere form no Markdown', () => {
  const hostile =
    'a|b\n# c\r\n```\n[x](https://evil.example) <img src=x> &amp; $x$ _y_ www.evil.example a@b.example \\ \u001b[31m\u202e';
  const texts = { name: hostile, intent: hostile, right_client: hostile, note: hostile };
  const report = toMarkdown({ ...certification, sandbox: hostile, scenarios: [{ ...failed, ...texts }] });
  const lines = report.split('\n');
  const marked = lines.filter((line) => /^(?:#|`|\s)/.test(line));
  expect(marked).toEqual(['# Certified', expect.stringMatching(/^## Failed: a\\\|b<br>/)]);
  const row = lines.find((line) => line.startsWith('| sandbox')) ?? '';
  expect(row.split(/(?<!\\)\|/).length).toBe(4);
  // Every sign with a meaning follows a backslash.
  const bare = report.replaceAll('<br>', '').replaceAll(/\\(?:[^\w\s]|_)/g, '');
  for (const sign of ['[', ']', '<', '>', '`', '&', '$', '_y', 'y_', '@', '://', 'www.', '\u001b', '\u202e', '\r'])
    expect(bare, sign).not.toContain(sign);
  expect(report).toContain('\\\\u{1b}');
  const broken = toMarkdown({ ...certification, scenarios: [{ ...failed, intent: 'One.\r\nTwo.\rThree.' }] });
  expect(broken).toContain('\nIntent: One.<br>Two.<br>Three.\n');
});
