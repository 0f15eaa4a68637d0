// Mockoon: two routes with fixed bodies; the order's answers 201 by a rule on the body, else 422.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const mockoon = {
  key: 'mockoon',
  label: 'Mockoon',
  packages: ['@mockoon/cli'],
  note: 'fixed bodies without templates, orders by a rule on the body, log of 100 calls as by default',
  setUp({ folder, port, content: { products, orderAnswer } }) {
    const rule = { target: 'body', modifier: 'consumer.email', value: '@', invert: false, operator: 'regex' };
    const routes = [
      routeOf('get', 'v2/products', [answerOf(200, products)]),
      routeOf('post', 'v2/orders', [
        answerOf(201, orderAnswer, { default: false, rules: [rule] }),
        answerOf(422, '{}'),
      ]),
    ];
    writeFileSync(join(folder, 'mockoon.json'), JSON.stringify(environmentOf(Number(port), routes)));
    const cli = join(folder, 'node_modules/@mockoon/cli/bin/run.js');
    const flags = ['--data', 'mockoon.json', '--disable-log-to-file', '--disable-admin-api', '--repair'];
    return { words: [process.execPath, cli, 'start', ...flags] };
  },
};

function environmentOf(port, routes) {
  return {
    uuid: randomUUID(),
    lastMigration: 33,
    name: 'bench',
    port,
    hostname: '127.0.0.1',
    routes,
    rootChildren: routes.map(({ uuid }) => ({ type: 'route', uuid })),
    headers: [{ key: 'Content-Type', value: 'application/json' }],
  };
}

function routeOf(method, endpoint, responses) {
  return { uuid: randomUUID(), type: 'http', method, endpoint, responses, responseMode: null };
}

function answerOf(statusCode, body, more = {}) {
  const rest = { rules: [], rulesOperator: 'OR', disableTemplating: true, default: true, ...more };
  return { uuid: randomUUID(), statusCode, body, bodyType: 'INLINE', headers: [], ...rest };
}
