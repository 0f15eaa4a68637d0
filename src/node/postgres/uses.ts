// When sandboxes were last used, told to the database together: a few times a second, however many calls there are.
import type { Database } from './database.ts';

const flushMilliseconds = 250;

export class Uses {
  readonly #database: Database;
  readonly #ids = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  note(id: string): void {
    this.#ids.add(id);
    this.#timer ??= setTimeout(() => void this.flush(), flushMilliseconds).unref();
  }

  /** What it cannot tell now is told with the next. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const ids = [...this.#ids];
    this.#ids.clear();
    if (ids.length === 0) return;
    await this.#database
      .ask({
        name: 'used',
        // In one order for all who do, so that none waits for another in a circle; what is being written is used anyhow.
        text: `update sandboxes set used_at = clock_timestamp() where id in
          (select id from sandboxes where id = any($1::bigint[]) order by id for no key update skip locked)`,
        values: [ids],
      })
      .catch(() => ids.forEach((id) => void this.#ids.add(id)));
  }
}
