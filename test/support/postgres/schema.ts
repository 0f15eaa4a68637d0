// Databases on a server, one for each test that wants one.
import { randomBytes } from 'node:crypto';
import { Client, type QueryResultRow } from 'pg';

/** The rows that one statement answers, on a connection of its own. */
export async function ask(url: string, statement: string, values: unknown[] = []): Promise<QueryResultRow[]> {
  const client = new Client({ connectionString: url });
  // That a connection breaks is told by what waits for it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(statement, values)).rows;
  } finally {
    await client.end();
  }
}

/** A database by its URL. */
export interface Database {
  readonly url: string;
  /** Takes it away, with the connections to it. */
  drop(): Promise<void>;
}

/** A new database, in which nobody else is. */
export async function freshDatabase(server: { readonly url: string }): Promise<Database> {
  // Workers share a server, and do not know of each other’s.
  const name = `t${randomBytes(8).toString('hex')}`;
  // The usual template cannot be copied while anybody is connected to it.
  await ask(server.url, `create database ${name} template template0`);
  const url = new URL(server.url);
  url.pathname = name;
  return {
    url: url.href,
    drop: async () => {
      await ask(server.url, `drop database if exists ${name} with (force)`);
    },
  };
}
