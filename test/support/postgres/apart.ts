// A part of a shared store that is one test's alone: its sandboxes have a prefix in front of their names there, of which nobody else knows.

import type { SharedStore as Beside, SandboxListing, Store } from '../../../src/state/store.ts';
import { machineTime } from '../../../src/system/time.ts';

/** A store that servers share. */
export type SharedStore = Store & { readonly shared: Beside };

export interface Part {
  /** Is waited for with each question. */
  readonly opening: Promise<SharedStore>;
  readonly prefix: string;
  /** Whether the sandboxes of others in the database take no room. */
  readonly isCrowded: boolean;
}

export function apart({ opening, prefix, isCrowded }: Part): SharedStore {
  const by = async <T>(ask: (store: SharedStore) => T | Promise<T>): Promise<T> => ask(await opening);
  return {
    names: () => by(async (store) => own(await store.names(), prefix)),
    load: (name, version) => by((store) => store.load(prefix + name, version)),
    append: (name, ...asked) => by((store) => store.append(prefix + name, ...asked)),
    remove: (name) => by((store) => store.remove(prefix + name)),
    problem: () => undefined,
    shared: {
      // What moves the machine's time in a test cannot move the database's.
      now: machineTime,
      noteUse: (name) => void by(({ shared }) => shared.noteUse(prefix + name)),
      release: (name) => void by(({ shared }) => shared.release(prefix + name)),
      journals: {
        write: (name, row) => by(({ shared }) => shared.journals.write(prefix + name, row)),
        read: (name, from) => by(({ shared }) => shared.journals.read(prefix + name, from)),
        clear: (name) => by(({ shared }) => shared.journals.clear(prefix + name)),
      },
      list: () => by(async ({ shared }) => listed(await shared.list(), prefix)),
      makeRoom: (most) => (isCrowded ? Promise.resolve(true) : by(({ shared }) => shared.makeRoom(most))),
    },
  };
}

const listed = (all: readonly SandboxListing[], prefix: string): SandboxListing[] =>
  all.filter(({ name }) => name.startsWith(prefix)).map((one) => ({ ...one, name: one.name.slice(prefix.length) }));

const own = (names: readonly string[], prefix: string): string[] =>
  names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
