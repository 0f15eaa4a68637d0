// When sandboxes were last used, told to the database together: a few times a second, however many calls there are.
import type { Database } from './database.ts';
import { isAlive } from './load.ts';

const flushMilliseconds = 250;

export class Uses {
  readonly #database: Database;
  readonly #ids = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(database: Database) {
    this.#database = database;
  }

  note(id: string): void {
    if (this.#isClosed) return;
    this.#ids.add(id);
    this.#timer ??= setTimeout(() => void this.flush(), flushMilliseconds).unref();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.flush();
  }

  /** What it cannot tell now is told with the next: the database may be away, or one of them be written just then. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const ids = [...this.#ids];
    this.#ids.clear();
    if (ids.length === 0) return;
    const untold = await this.#database.ask<{ id: string }>({ name: 'used', text: used, values: [ids] }).then(
      ({ rows }) => rows.map(({ id }) => id),
      () => ids,
    );
    for (const id of untold) this.note(id);
  }
}

/** In one order for all who do, so that none waits for another in a circle. What is over stays over. Gives those that somebody else has. */
const used = `
  with free as (
    select id from sandboxes where id = any($1::bigint[]) and ${isAlive} order by id for no key update skip locked
  ),
  told as (update sandboxes set used_at = clock_timestamp() where id in (select id from free))
  select id from sandboxes where id = any($1::bigint[]) and ${isAlive} and id not in (select id from free)`;
