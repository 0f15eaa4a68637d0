// The Markdown report: what it says, and that no text from elsewhere forms anything in it.
import { expect, test } from 'vitest';
import { type Certification, type ScenarioResult, toMarkdown } from '../../src/node/certify/report.ts';

const passed: ScenarioResult = {
  name: 'no-pag',
  intent: 'No packaging.',
  right_client: 'Gives up.',
  outcome: 'pass',
  note: null,
  duration_ms: 123,
  expect: [{ match: { operation: 'orders.create', rule: 'ORD-21' }, count: 1, came: 1, satisfied: true }],
  outcomes: [{ id: 'label_downloaded', reached: true }],
  conduct: [{ id: 'no_refused_repeat', outcome: 'pass', evidence: [], advice: 'Mend it.' }],
  evidence: [],
};
const certification: Certification = {
  version: '1.2.3',
  server_version: '1.2.4',
  seed: 'certify',
  sandbox: 'stage',
  assumptions: {},
  started_at: '2026-01-02T03:04:05.678Z',
  finished_at: '2026-01-02T03:05:05.678Z',
  client: ['node', 'client.mjs'],
  certified: true,
  left_out: [],
  scenarios: [passed],
};

test('one that is certified', () => {
  expect(toMarkdown(certification)).toBe(`# Certified

1 of 1 scenarios passed.

|  |  |
| --- | --- |
| Sachet | 1.2.3 |
| server | 1.2.4 |
| sandbox | stage |
| seed | certify |
| assumptions | all defaults |
| client | node client.mjs |
| started | 2026-01-02T03:04:05.678Z |
| finished | 2026-01-02T03:05:05.678Z |

| scenario | outcome | seconds | why |
| --- | --- | --- | --- |
| no-pag | pass | 0.1 |  |

## Passed: no-pag

Intent: No packaging.

A correct client: Gives up.

| calls | expected | came | as expected |
| --- | --- | --- | --- |
| orders.create, rule ORD-21 | exactly 1 | 1 | yes |

| outcome | reached | what the client has to do |
| --- | --- | --- |
| label_downloaded | yes | download a label |

| conduct rule | outcome | advice |
| --- | --- | --- |
| no_refused_repeat | pass |  |
`);
});

const failed: ScenarioResult = {
  name: 'lost-answer',
  intent: 'The answer is lost.',
  right_client: 'Looks.',
  outcome: 'fail',
  note: 'the client ended with exit code 3\nIts last output:\n# Oh *no* | <b>',
  duration_ms: 2000,
  expect: [
    { match: { operation: 'orders.create', status: 201 }, count: { at_least: 1 }, came: 1, satisfied: true },
    {
      match: { method: 'GET', path: '/v2/orders', rule: 'ORD-20', body: { a: '|' } },
      count: 0,
      came: null,
      satisfied: false,
    },
  ],
  outcomes: [
    { id: 'order_followed', reached: false },
    { id: 'label_downloaded', reached: true },
  ],
  conduct: [
    { id: 'no_double_submit', outcome: 'fail', evidence: ['a'], advice: 'It came twice.' },
    { id: 'needs_changes', outcome: 'not_exercised', evidence: [], advice: 'Take it.' },
  ],
  evidence: [
    {
      id: 'a',
      received_at: '2026-01-02T03:04:05.678Z',
      method: 'POST',
      path: '/v2/orders',
      status: null,
      rules: ['ORD-20', 'ORD-21'],
      sentence: 'consumer.name is "`a|b`". Assumed: list_order=newest_first, rate_limit=off.',
    },
  ],
};

test('one that is not, with all that is known of what failed', () => {
  const told = toMarkdown({
    ...certification,
    certified: false,
    client: null,
    left_out: ['no_pag', 'maintenance'],
    assumptions: { next_cursor: 'meta', list_order: 'oldest_first' },
    scenarios: [passed, failed],
  });
  expect(told.startsWith('# Not certified\n\n1 of 2 scenarios passed. Not run: no_pag, maintenance.\n')).toBe(true);
  for (const row of [
    '| seed | certify |',
    '| assumptions | next_cursor=meta, list_order=oldest_first |',
    '| client | run separately |',
    '| lost-answer | fail | 2.0 | the client ended with exit code 3 |',
  ])
    expect(told.split('\n')).toContain(row);
  expect(told.slice(told.indexOf('## '), told.indexOf('## Passed: no-pag'))).toBe(`## Failed: lost-answer

Intent: The answer is lost.

A correct client: Looks.

What happened: the client ended with exit code 3<br>Its last output:<br>\\# Oh \\*no\\* \\| \\<b\\>

| calls | expected | came | as expected |
| --- | --- | --- | --- |
| orders.create, status 201 | at least 1 | 1 | yes |
| GET /v2/orders, rule ORD-20, body {"a":"\\|"} | exactly 0 | unknown | **no** |

| outcome | reached | what the client has to do |
| --- | --- | --- |
| order_followed | **no** | read every order that it placed, or the fulfillments of that order, by the id of the order |
| label_downloaded | yes | download a label |

| conduct rule | outcome | advice |
| --- | --- | --- |
| no_double_submit | **fail** | It came twice. |
| needs_changes | **not_exercised** | Take it. |

| received at | call | status | rules | why |
| --- | --- | --- | --- | --- |
| 2026-01-02T03:04:05.678Z | POST /v2/orders | no response | ORD-20, ORD-21 | consumer.name is "\\\`a\\|b\\\`". |

`);
});

test('a text from elsewhere stays text', () => {
  const hostile =
    'a|b\n# c\r\n```\n[x](https://evil.example) <img src=x> &amp; $x$ _y_ www.evil.example a@b.example \\ \u001b[31m\u202e';
  const told = toMarkdown({
    ...certification,
    sandbox: hostile,
    scenarios: [{ ...failed, name: hostile, intent: hostile, right_client: hostile, note: hostile }],
  });
  const lines = told.split('\n');
  expect(lines.filter((line) => /^#/.test(line))).toEqual([
    '# Certified',
    expect.stringMatching(/^## Failed: a\\\|b<br>/),
  ]);
  expect(lines.filter((line) => /^(?:`|\s)/.test(line))).toEqual([]);
  const cells = (line: string) => line.split(/(?<!\\)\|/).length;
  const row = lines.find((line) => line.startsWith('| sandbox')) ?? '';
  expect(cells(row)).toBe(4);
  // Whatever has a meaning stands behind a backslash.
  const bare = told.replaceAll('<br>', '').replaceAll(/\\(?:[^\w\s]|_)/g, '');
  for (const sign of ['[', ']', '<', '>', '`', '&', '$', '_y', 'y_', '@', '://', 'www.', '\u001b', '\u202e', '\r'])
    expect(bare, sign).not.toContain(sign);
  expect(told).toContain('\\\\u{1b}');
});

test('one that left scenarios out does not look like one that did not', () => {
  const told = toMarkdown({ ...certification, left_out: ['lost-answer', 'maintenance'] });
  expect(told.startsWith('# Certified for 1 of 3 scenarios\n\n1 of 1 scenarios passed. Not run: ')).toBe(true);
});

test('lines that end as on Windows', () => {
  const windows = { ...failed, intent: 'One.\r\nTwo.\rThree.' };
  expect(toMarkdown({ ...certification, certified: false, scenarios: [windows] })).toContain(
    '\nIntent: One.<br>Two.<br>Three.\n',
  );
});
