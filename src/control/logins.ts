// Who logs in to a sandbox: its users, those who may before those who may not.
import type { RecordOf } from '../contract/records.ts';
import { mayLogIn } from '../domain/tokens.ts';
import type { Tables } from '../state/root.ts';

export interface Login {
  readonly user: RecordOf<'users'>;
  readonly mayLogIn: boolean;
}

/** Those who may log in come first. */
export function* loginsOf(tables: Pick<Tables, 'users' | 'brands' | 'accounts'>): Generator<Login> {
  for (const may of [true, false])
    for (const [, user] of tables.users.entries()) if (mayLogIn(user, tables) === may) yield { user, mayLogIn: may };
}
