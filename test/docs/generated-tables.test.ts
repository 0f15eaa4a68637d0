// The generated tables of the documentation, and that they are true. A page shows one between `<!-- name -->` and `<!-- /name -->`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rules } from '../../src/contract/rules.ts';
import { prepare } from '../cases/rejected.ts';
import { rows } from '../cases/table.ts';
import { recordSession, transcriptOf } from '../mcp/session.ts';
import { root } from '../support/command.ts';
import { productId, someAddress } from '../support/order-requests.ts';
import { passwordOf, testSachet } from '../support/sachet.ts';
import { readyMadeCases } from './ready-made-cases.ts';
import { commandFlagsTable, commandsTable, exitCodesTable, serveFlagsTable } from './tables/command-line.ts';
import {
  assumptionCodeTable,
  openQuestionsTable,
  rulesTables,
  statementsTable,
  unnamed,
} from './tables/conformance.ts';
import { assumptionsTable, casesTable, collectionsTable, endpointsTable, headersTable } from './tables/contract.ts';
import {
  conductTable,
  controlTable,
  fulfillmentActionsTable,
  limitsTable,
  orderActionsTable,
  outcomesTable,
  scenariosTable,
} from './tables/control.ts';
import { assumptionsOf, clientRules, errorsTable } from './tables/errors.ts';
import { mcpToolsTable } from './tables/mcp.ts';
import { faultTable, switchesTable } from './tables/switches.ts';

const session = transcriptOf(await recordSession());

const tables: Readonly<Record<string, () => string>> = {
  'assumption-code': assumptionCodeTable,
  assumptions: assumptionsTable,
  cases: casesTable,
  collections: collectionsTable,
  'command-flags': commandFlagsTable,
  commands: commandsTable,
  conduct: conductTable,
  control: controlTable,
  endpoints: endpointsTable,
  errors: errorsTable,
  'exit-codes': exitCodesTable,
  fault: faultTable,
  flags: serveFlagsTable,
  'fulfillment-actions': fulfillmentActionsTable,
  headers: headersTable,
  limits: limitsTable,
  'mcp-session': () => session,
  'mcp-tools': mcpToolsTable,
  'open-questions': openQuestionsTable,
  'order-actions': orderActionsTable,
  outcomes: outcomesTable,
  rules: rulesTables,
  scenarios: scenariosTable,
  statements: statementsTable,
  switches: switchesTable,
};

const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /^(?!node_modules|\.vitepress).*\.md$/.test(name))
  .map((name) => ({ file: `docs/${name}`, text: readFileSync(join(root, 'docs', name), 'utf8') }));

test('each table is on one page, between its markers, and up to date (`npm run docs` writes them)', () => {
  const names: string[] = [];
  for (const { file, text } of pages) {
    const current = text.replaceAll(/^<!-- ([\w-]+) -->\n[\s\S]*?^<!-- \/\1 -->$/gm, (old, name: string) => {
      if (!Object.hasOwn(tables, name)) return old;
      names.push(name);
      return `<!-- ${name} -->\n\n${tables[name]?.()}\n\n<!-- /${name} -->`;
    });
    if (process.env.UPDATE_DOCS) writeFileSync(join(root, file), current);
    else expect(text, file).toBe(current);
  }
  expect(names.sort()).toEqual(Object.keys(tables).sort());
});

test('the table of errors has each rule, except the faults and limits that testers set', () => {
  const others = Object.keys(rules).filter((rule) => !clientRules.some((known) => known === rule));
  const faults = [400, 401, 404, 422, 502, 503, 504].map((status) => `fault_${status}`);
  expect(others.sort()).toEqual([...faults, 'max_calls', 'max_delayed', 'max_memory', 'max_records']);
});

test('the rules that the table of errors shows as off by default do not reject then', async () => {
  const rejecting: string[] = [];
  for (const rule of clientRules.filter((one) => assumptionsOf(one).length > 0)) {
    const [assumption = '', ...more] = assumptionsOf(rule);
    expect(more, rule).toEqual([]);
    for (const { id, given } of rows.filter((row) => row.rule === rule)) {
      const { [assumption]: _, ...others } = { ...given.assumptions } as Record<string, string>;
      const { headers } = await (await prepare(id, { ...given, assumptions: others })).send();
      if (headers.get('sandbox-rule') === rule) rejecting.push(`${id} ${rule}`);
    }
  }
  expect(rejecting).toEqual([]);
});

test('every rule and assumption is named by a source and by a test', () => {
  expect(unnamed(), 'in no source or in no test').toEqual([]);
});

test('each ready-made case has its response, and the password of each login is sachet- and the username', async () => {
  for (const [login, call, request, expectedStatus, answer] of readyMadeCases) {
    expect(passwordOf(login)).toBe(`sachet-${login}`);
    const [method = '', path = ''] = typeof request === 'string' ? request.split(' ') : ['POST', '/v2/orders'];
    const { product = productId(1), duration = 30, consumerId } = typeof request === 'string' ? {} : request;
    const newConsumer = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' };
    const order = {
      consumer: consumerId ? { id: consumerId } : newConsumer,
      shipping_address: someAddress,
      order_lines: [{ duration, pouches: [{ contents: [{ client_product_id: product }] }] }],
    };
    const sachet = testSachet();
    const isLogin = path.endsWith('/token');
    const headers = isLogin ? {} : { authorization: `Bearer ${(await sachet.login(login)).token}` };
    const ordering = /orders$|^PATCH/.test(`${method} ${path}`) ? order : undefined;
    const sent = isLogin ? { username: login, password: `sachet-${login}` } : ordering;
    const { status, body } = await sachet.call(method, path, { body: sent, headers });
    expect([call, status]).toEqual([call, expectedStatus]);
    const page = body.next_cursor && `${body.fulfillments.length} and a \`next_cursor\``;
    expect([body.message, body.order?.status, body.fulfillment?.status_id, page], call).toContain(answer);
  }
});
