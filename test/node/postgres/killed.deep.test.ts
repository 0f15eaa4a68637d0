// A server that is killed takes nothing with it: the others over its database have all that it acknowledged.
import { expect, onTestFinished, test } from 'vitest';
import { serving } from '../../support/command.ts';
import { expectThere, type Written, writeOrders } from '../../support/postgres/marked.ts';
import { logIn, type Place, placeAt } from '../../support/postgres/partner.ts';
import { postgresMissing } from '../../support/postgres/server.ts';
import { adminKey, databaseOfTest } from '../../support/postgres/stores.ts';

/** So many orders are acknowledged before the end of one server, and after it. */
const orders = 200;

test.skipIf(postgresMissing())(
  'what a server acknowledged before kill -9 is there through the others, once',
  async () => {
    const url = await databaseOfTest();
    const args = ['--store', url, '--admin-key', adminKey, '--log', 'off'];
    // They also meet where the tables are made.
    const servers = await Promise.all([serving(args), serving(args), serving(args)]);
    const places = servers.map(({ ready }) => placeAt(ready.url)) as Places;
    const token = await logIn(places[0]);
    let written: Written = { acknowledged: new Map(), others: [] };
    let enough = Number.POSITIVE_INFINITY;
    onTestFinished(() => {
      enough = 0;
    });
    const goesOn = (soFar: Written) => {
      written = soFar;
      return soFar.acknowledged.size < enough;
    };
    const writing = writeOrders({ places, token, writers: 8, goesOn });
    await expect.poll(() => written.acknowledged.size, { interval: 1 }).toBeGreaterThan(orders);
    servers[0].child.kill('SIGKILL');
    await servers[0].ended();
    enough = written.acknowledged.size + orders;
    await writing;
    // Nobody but the killed one has refused a call, or broken its connection.
    expect(written.others.filter((answer) => !answer.startsWith('0 TypeError: '))).toEqual([]);
    expect(written.others.length).toBeGreaterThan(0);
    expect(await expectThere(places[1], written)).toBe(await expectThere(places[2], written));
    for (const { stderr } of servers) expect(stderr).toBe('');
  },
);

type Places = [Place, Place, Place];
