// The registry of sandboxes: finding, making, and the two that exist from the start.
import type { Readings } from '../contract/assumptions.ts';
import { Terms } from '../contract/terms.ts';
import { type Hashes, hex } from '../domain/hashes.ts';
import { logIn } from '../domain/tokens.ts';
import type { Identity } from '../domain/world.ts';
import { Draft, type Freeze } from '../state/draft.ts';
import { applyChanges, type Birth, type ClockState, changesOf, newRoot, type Root } from '../state/root.ts';
import { Sandbox } from '../state/sandbox.ts';
import { type Awaitable, andThen, isPromise, type Store } from '../state/store.ts';
import { OpenWorld } from './open-world.ts';

/** Names of sandboxes (product.md). */
export const sandboxName = /^[a-z0-9][a-z0-9._-]{0,62}$/;
/** The environment of the plain base URL, and the sandbox of whoever names none. */
export const stage = 'stage';
const bornNames: readonly string[] = [stage, 'production'];

/** What every sandbox of a server is made from. */
export interface Making {
  readonly store: Store;
  readonly birth: Birth;
  readonly seed: string;
  readonly hashes: Hashes;
  readonly readings: Readings;
  readonly clock: ClockState;
  readonly freeze: Freeze;
}

export class Sandboxes {
  readonly #making: Making;
  readonly #open = new Map<string, Awaitable<Sandbox | undefined>>();

  constructor(making: Making) {
    this.#making = making;
  }

  /** The sandbox of this name; undefined where there is none. */
  get(name: string): Awaitable<Sandbox | undefined> {
    return this.#open.get(name) ?? this.#opened(name, this.#find(name));
  }

  /** The sandbox of the plain base URL. */
  stage(): Awaitable<Sandbox> {
    return andThen(
      this.get(stage),
      (found) => found ?? this.make({ name: stage, environment: stage, madeByLogin: false }),
    );
  }

  /** Makes a sandbox from the fixtures; where somebody else just made it, that one. */
  make(who: Pick<Identity, 'name' | 'environment' | 'madeByLogin'>): Awaitable<Sandbox> {
    const found = this.#open.get(who.name);
    return isPromise(found) ? found.then(() => this.make(who)) : (found ?? this.#make(who));
  }

  #make(who: Pick<Identity, 'name' | 'environment' | 'madeByLogin'>): Awaitable<Sandbox> {
    const root = this.#newRoot(who);
    const sandbox = new Sandbox(who.name, root, this.#making.store, this.#making.freeze);
    const kept = this.#making.store.append(who.name, 0, changesOf(root));
    const made = andThen(kept, (answer) => (answer === 'committed' ? sandbox : this.#load(who.name)));
    return andThen(this.#opened(who.name, made), (opened) => {
      if (!opened) throw new Error(`the store has no sandbox "${who.name}" and does not take it`);
      return opened;
    });
  }

  /** Whether a new sandbox would let this user in. */
  wouldLogIn(username: string, password: string, machineTime: number): boolean {
    const root = this.#newRoot({ name: stage, environment: stage, madeByLogin: true });
    const { hashes, readings, freeze } = this.#making;
    const terms = new Terms(readings, root.values.administration_times.values);
    const world = new OpenWorld(new Draft(root, freeze), { baseUrl: '', hashes }, machineTime, terms);
    try {
      return Boolean(logIn(world, { username, password }));
    } catch {
      return false;
    }
  }

  #find(name: string): Awaitable<Sandbox | undefined> {
    return andThen(this.#load(name), (found) => {
      if (found || !bornNames.includes(name)) return found;
      return this.#make({ name, environment: name, madeByLogin: false });
    });
  }

  #load(name: string): Awaitable<Sandbox | undefined> {
    const { store, freeze } = this.#making;
    return andThen(store.load(name), (commit) => {
      return commit && new Sandbox(name, applyChanges(undefined, commit.version, commit.changes), store, freeze);
    });
  }

  /** Keeps one sandbox object per name, also while it is being opened; a name without one is not kept. */
  #opened(name: string, opening: Awaitable<Sandbox | undefined>): Awaitable<Sandbox | undefined> {
    if (!isPromise(opening)) return this.#settle(name, opening);
    const settling = opening.then(
      (sandbox) => this.#settle(name, sandbox),
      (error: unknown) => {
        this.#open.delete(name);
        throw error;
      },
    );
    this.#open.set(name, settling);
    return settling;
  }

  #settle(name: string, sandbox: Sandbox | undefined): Sandbox | undefined {
    if (sandbox) this.#open.set(name, sandbox);
    else this.#open.delete(name);
    return sandbox;
  }

  #newRoot(who: Pick<Identity, 'name' | 'environment' | 'madeByLogin'>): Root {
    const { birth, hashes, clock, readings } = this.#making;
    const seed = `${this.#making.seed}/${who.name}`;
    const signingKey = hex(hashes.sha256(`signing key\n${seed}`));
    return newRoot(birth, { identity: { ...who, seed, signingKey }, clock, readings });
  }
}
