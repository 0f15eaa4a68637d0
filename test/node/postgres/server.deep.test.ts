// The PostgreSQL that tests are given: it is a real one, and nothing of it stays.
import { existsSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ask } from '../../support/postgres/schema.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../../support/postgres/server.ts';
import { isThere } from '../../support/processes.ts';

const pidOf = ({ pid }: PostgresServer): number => pid ?? Number.NaN;

describe.skipIf(postgresMissing())('a PostgreSQL server', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ durable: true });
  });
  afterAll(() => server.close());

  const committed = async (name: string) => {
    await ask(server.url, `create table ${name} as select 7 as n`);
    return () => ask(server.url, `select n from ${name}`);
  };

  test('answers', async () => {
    expect(await ask(server.url, 'select $1::int as n', [1])).toEqual([{ n: 1 }]);
  });

  test.each(['fast', 'immediate'] as const)('keeps what is committed over a restart that is %s', async (how) => {
    const rows = await committed(how);
    const before = pidOf(server);
    await server.restart(how);
    expect(isThere(before)).toBe(false);
    expect(await rows()).toEqual([{ n: 7 }]);
  });

  test('keeps what is committed when it is killed, by which its connections break', async () => {
    const rows = await committed('killed');
    const client = new Client({ connectionString: server.url });
    const broken = new Promise((resolve) => client.on('error', resolve));
    await client.connect();
    const [backend] = (await client.query('select pg_backend_pid() as pid')).rows;
    const pids = [pidOf(server), backend.pid];
    await server.kill();
    expect(pids.filter(isThere)).toEqual([]);
    expect(await broken).toMatchObject({ message: 'Connection terminated unexpectedly' });
    await expect(rows()).rejects.toThrow('ECONNREFUSED');
    await server.start();
    expect(await rows()).toEqual([{ n: 7 }]);
  });

  test('answers nobody while it is frozen, and then all', async () => {
    const client = new Client({ connectionString: server.url });
    await client.connect();
    onTestFinished(() => client.end());
    await server.freeze();
    const late = client.query('select 1 as n');
    const hasty = new Client({ connectionString: server.url, connectionTimeoutMillis: 100 });
    await expect(hasty.connect()).rejects.toThrow('timeout');
    server.thaw();
    expect((await late).rows).toEqual([{ n: 1 }]);
  });

  test('is started again after a stop', async () => {
    await server.stop();
    await expect(ask(server.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
    await server.start();
    expect(await ask(server.url, 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  test.each(['running', 'frozen', 'killed'] as const)('leaves nothing when it is closed while %s', async (state) => {
    const other = await startPostgres();
    const pid = pidOf(other);
    if (state === 'frozen') await other.freeze();
    if (state === 'killed') await other.kill();
    await other.close();
    expect(isThere(pid)).toBe(false);
    expect(existsSync(other.folder)).toBe(false);
  });
});
