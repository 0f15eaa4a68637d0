// The registry of sandboxes: finding, making, deleting; the two that exist from the start, and the bound on how many there are.
import { bornSandboxes, sandboxName, stage } from '../contract/addresses.ts';
import { Terms } from '../contract/terms.ts';
import { userWith } from '../domain/tokens.ts';
import { applyChanges, changesOf } from '../state/changes.ts';
import { Draft } from '../state/draft.ts';
import type { Root } from '../state/root.ts';
import { type Awaitable, andThen, isPromise } from '../state/store.ts';
import { orFailure, StoreFailure } from '../state/store-failure.ts';
import { machineTime } from './clock.ts';
import { HostedSandbox, type Hosting } from './hosted-sandbox.ts';
import { type Beginning, newborn, type Told, type Who } from './newborn.ts';
import { OpenWorld } from './open-world.ts';

/** What a registry is made with. */
export interface Making extends Beginning, Hosting {
  readonly maxSandboxes: number;
}

/** There are as many sandboxes as there may be, and none of them is the registry's to delete. */
export class NoRoomError extends Error {}

type Found = HostedSandbox | undefined;

export class Sandboxes {
  readonly #making: Making;
  /** One sandbox object per name, also while it is being opened. */
  readonly #open = new Map<string, Awaitable<Found>>();
  /** Those made by login, the longest unused first. */
  readonly #byLogin = new Map<string, HostedSandbox>();
  readonly #mortal = new Set<HostedSandbox>();
  #sweptAt = 0;

  constructor(making: Making) {
    this.#making = making;
  }

  /** The sandbox of this name; undefined where there is none, or where it is no name of one. */
  get(name: string): Awaitable<Found> {
    if (!sandboxName.test(name)) return undefined;
    const open = this.#open.get(name);
    if (open instanceof HostedSandbox && open.ttlSeconds !== undefined && open.isOver(machineTime()))
      return andThen(this.remove(open), () => undefined);
    return open ?? this.#keep(name, this.#find(name));
  }

  /** The sandbox of the plain base URL. */
  stage(): Awaitable<HostedSandbox> {
    return andThen(this.get(stage), present);
  }

  /** Notes that a sandbox is used at this time of the machine. */
  use(sandbox: HostedSandbox, machine: number): void {
    sandbox.usedAt = machine;
    if (this.#byLogin.get(sandbox.name) !== sandbox) return;
    this.#byLogin.delete(sandbox.name);
    this.#byLogin.set(sandbox.name, sandbox);
  }

  /** Every sandbox that is open and not over. */
  async list(): Promise<HostedSandbox[]> {
    await Promise.all(bornSandboxes.map((name) => this.get(name)));
    await this.#sweep(machineTime());
    return [...this.#open.values()].filter((one) => one instanceof HostedSandbox);
  }

  /** Makes a sandbox from the fixtures; where there is one of this name by now, that one. */
  make(who: Who, told: Told = {}, ttlSeconds?: number): Awaitable<HostedSandbox> {
    if (!sandboxName.test(who.name)) throw new Error(`"${who.name}" is no name of a sandbox`);
    const found = this.#open.get(who.name);
    if (isPromise(found)) return found.then(() => this.make(who, told, ttlSeconds));
    if (found) return found;
    const root = newborn(this.#making, who, told, machineTime());
    return andThen(this.#keep(who.name, andThen(this.#makeRoom(), () => this.#make(root, ttlSeconds))), present);
  }

  /** Deletes a sandbox: calls under way in it write nothing any more. */
  remove(sandbox: HostedSandbox): Awaitable<void> {
    sandbox.end();
    this.#mortal.delete(sandbox);
    if (this.#open.get(sandbox.name) === sandbox) this.#open.delete(sandbox.name);
    if (this.#byLogin.get(sandbox.name) === sandbox) this.#byLogin.delete(sandbox.name);
    return orFailure(() => this.#making.store.remove(sandbox.name));
  }

  /** Ends what waits in any sandbox; the server closes. */
  close(): void {
    for (const sandbox of this.#open.values()) if (sandbox instanceof HostedSandbox) sandbox.close();
  }

  /** Whether a new sandbox would let this user in. */
  wouldLogIn(username: string, password: unknown, machine: number): boolean {
    const root = newborn(this.#making, { name: stage, environment: stage, madeByLogin: true }, {}, machine);
    const { hashes, keeping } = this.#making;
    const terms = new Terms(root.values.readings, root.values.administration_times.values);
    const world = new OpenWorld(new Draft(root, keeping.freeze), { baseUrl: '', hashes }, machine, terms);
    return userWith(world, username, password) !== undefined;
  }

  #find(name: string): Awaitable<Found> {
    return andThen(this.#load(name), (found) => {
      if (found || !bornSandboxes.includes(name)) return found;
      return this.#make(newborn(this.#making, { name, environment: name, madeByLogin: false }, {}, machineTime()));
    });
  }

  #make(root: Root, ttlSeconds?: number): Awaitable<Found> {
    const { name } = root.values.identity;
    return andThen(
      orFailure(() => this.#making.store.append(name, 0, changesOf(root))),
      (answer) => (answer === 'committed' ? this.#hosted(root, ttlSeconds) : this.#load(name)),
    );
  }

  #load(name: string): Awaitable<Found> {
    const { store, keeping } = this.#making;
    return andThen(
      orFailure(() => store.load(name)),
      (commit) => commit && this.#hosted(applyChanges(undefined, commit, keeping.freeze)),
    );
  }

  #hosted(root: Root, ttlSeconds?: number): HostedSandbox {
    const sandbox = new HostedSandbox(root.values.identity.name, root, this.#making, machineTime(), ttlSeconds);
    if (ttlSeconds !== undefined) this.#mortal.add(sandbox);
    if (root.values.identity.madeByLogin) this.#byLogin.set(sandbox.name, sandbox);
    return sandbox;
  }

  /** Makes way for one more: what is over goes, then the one made by login that was longest unused. */
  #makeRoom(): Awaitable<void> {
    return andThen(this.#sweep(machineTime()), () => {
      const { maxSandboxes } = this.#making;
      if (this.#open.size < maxSandboxes) return;
      for (const longestUnused of this.#byLogin.values()) return this.remove(longestUnused);
      throw new NoRoomError(`there are ${maxSandboxes} sandboxes, the most there may be; delete some, or give --max-sandboxes a larger number`);
    });
  }

  /** Deletes what is over; looks once a second, so that making many does not look at all of them each time. */
  #sweep(machine: number): Awaitable<void> {
    if (Math.abs(machine - this.#sweptAt) < 1000) return;
    this.#sweptAt = machine;
    const over = [...this.#mortal].filter((sandbox) => sandbox.isOver(machine));
    if (over.length > 0) return Promise.all(over.map((sandbox) => this.remove(sandbox))).then(() => undefined);
  }

  /** Keeps what is opening under its name until it is open; a name without a sandbox is not kept. */
  #keep(name: string, opening: Awaitable<Found>): Awaitable<Found> {
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

  #settle(name: string, sandbox: Found): Found {
    if (sandbox) this.#open.set(name, sandbox);
    else this.#open.delete(name);
    return sandbox;
  }
}

/** A sandbox that exists from the start, or was just made, is there: a store that says otherwise is at fault. */
function present(sandbox: Found): HostedSandbox {
  if (!sandbox) throw new StoreFailure('the store neither takes a sandbox nor has it');
  return sandbox;
}
