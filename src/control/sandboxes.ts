// The registry of sandboxes: finding, making, and the two that exist from the start.
import { bornSandboxes, sandboxName, stage } from '../contract/addresses.ts';
import type { Readings } from '../contract/assumptions.ts';
import { Terms } from '../contract/terms.ts';
import { type Hashes, hex } from '../domain/hashes.ts';
import { userWith } from '../domain/tokens.ts';
import type { Identity } from '../domain/world.ts';
import { Draft } from '../state/draft.ts';
import {
  applyChanges,
  type Birth,
  type ClockState,
  changesOf,
  type Freeze,
  newRoot,
  type Root,
} from '../state/root.ts';
import { Sandbox } from '../state/sandbox.ts';
import { type Awaitable, andThen, isPromise, type Store } from '../state/store.ts';
import { orFailure, StoreFailure } from '../state/store-failure.ts';
import { OpenWorld } from './open-world.ts';

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

/** Who a sandbox is, before it has keys. */
type Who = Pick<Identity, 'name' | 'environment' | 'madeByLogin'>;

export class Sandboxes {
  readonly #making: Making;
  /** One sandbox object per name, also while it is being opened. */
  readonly #open = new Map<string, Awaitable<Sandbox | undefined>>();

  constructor(making: Making) {
    this.#making = making;
  }

  /** The sandbox of this name; undefined where there is none, or where it is no name of one. */
  get(name: string): Awaitable<Sandbox | undefined> {
    if (!sandboxName.test(name)) return undefined;
    return this.#open.get(name) ?? this.#keep(name, this.#find(name));
  }

  /** The sandbox of the plain base URL. */
  stage(): Awaitable<Sandbox> {
    return andThen(this.get(stage), present);
  }

  /** Makes a sandbox from the fixtures; where there is one of this name by now, that one. */
  make(who: Who): Awaitable<Sandbox> {
    if (!sandboxName.test(who.name)) throw new Error(`"${who.name}" is no name of a sandbox`);
    const found = this.#open.get(who.name);
    if (isPromise(found)) return found.then(() => this.make(who));
    return found ?? andThen(this.#keep(who.name, this.#make(who)), present);
  }

  /** Whether a new sandbox would let this user in. */
  wouldLogIn(username: string, password: unknown, machineTime: number): boolean {
    const root = this.#newRoot({ name: stage, environment: stage, madeByLogin: true });
    const { hashes, readings, freeze } = this.#making;
    const terms = new Terms(readings, root.values.administration_times.values);
    const world = new OpenWorld(new Draft(root, freeze), { baseUrl: '', hashes }, machineTime, terms);
    return userWith(world, username, password) !== undefined;
  }

  #find(name: string): Awaitable<Sandbox | undefined> {
    return andThen(this.#load(name), (found) => {
      if (found || !bornSandboxes.includes(name)) return found;
      return this.#make({ name, environment: name, madeByLogin: false });
    });
  }

  #make(who: Who): Awaitable<Sandbox | undefined> {
    const root = this.#newRoot(who);
    const { store, freeze } = this.#making;
    return andThen(
      orFailure(() => store.append(who.name, 0, changesOf(root))),
      (answer) => (answer === 'committed' ? new Sandbox(who.name, root, store, freeze) : this.#load(who.name)),
    );
  }

  #load(name: string): Awaitable<Sandbox | undefined> {
    const { store, freeze } = this.#making;
    return andThen(
      orFailure(() => store.load(name)),
      (commit) => commit && new Sandbox(name, applyChanges(undefined, commit, freeze), store, freeze),
    );
  }

  /** Keeps what is opening under its name until it is open; a name without a sandbox is not kept. */
  #keep(name: string, opening: Awaitable<Sandbox | undefined>): Awaitable<Sandbox | undefined> {
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

  #newRoot(who: Who): Root {
    const { birth, hashes, clock, readings } = this.#making;
    const seed = `${this.#making.seed}/${who.name}`;
    const signingKey = hex(hashes.sha256(`signing key\n${seed}`));
    return newRoot(birth, { identity: { ...who, seed, signingKey }, clock, readings });
  }
}

/** A sandbox that exists from the start, or was just made, is there: a store that says otherwise is at fault. */
function present(sandbox: Sandbox | undefined): Sandbox {
  if (!sandbox) throw new StoreFailure('the store neither takes a sandbox nor has it');
  return sandbox;
}
