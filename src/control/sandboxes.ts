// The registry of sandboxes: finding, making, deleting; the two that exist from the start, and the bound on how many there are.
import { bornSandboxes, sandboxName, stage } from '../contract/addresses.ts';
import { Terms } from '../contract/terms.ts';
import { userWith } from '../domain/tokens.ts';
import { applyChanges, changesOf } from '../state/changes.ts';
import { Draft } from '../state/draft.ts';
import type { Root } from '../state/root.ts';
import { type Awaitable, andThen, isPromise, type Listed, type Shared } from '../state/store.ts';
import { orFailure, StoreFailure } from '../state/store-failure.ts';
import { begunAnew, machineTime, timeOf } from './clock.ts';
import { HostedSandbox, type Hosting } from './hosted-sandbox.ts';
import { type Beginning, newborn, type Told, type Who } from './newborn.ts';
import { type Found, OpenSandboxes } from './open-sandboxes.ts';
import { OpenWorld } from './open-world.ts';
import { NameTakenError, OwnRoom, type Room, SharedRoom } from './room.ts';

/** What a registry is made with. */
export interface Making extends Beginning, Hosting {
  readonly maxSandboxes: number;
}

/** What becomes of a name that the store has already. */
type IfThere = (name: string) => Awaitable<Found>;

export class Sandboxes {
  readonly #making: Making;
  readonly #shared: Shared | undefined;
  readonly #open = new OpenSandboxes();
  readonly #removals = new WeakMap<HostedSandbox, Awaitable<void>>();
  /** A sandbox that was never hosted, to ask whom a new one would let in. */
  #asked: Root | undefined;
  readonly #room: Room;
  #isClosed = false;

  constructor(making: Making) {
    this.#making = making;
    const { store, maxSandboxes } = making;
    this.#shared = store.shared;
    this.#room = store.shared
      ? new SharedRoom(this.#open, maxSandboxes, store.shared)
      : new OwnRoom(this.#open, maxSandboxes, (sandbox) => this.remove(sandbox));
  }

  /**
   * Opens what the store has from before, the longest unchanged first: as if it had been used in that order; and those that exist from the start.
   * Of a shared store each server opens what it is asked for.
   */
  async open(): Promise<void> {
    const { store } = this.#making;
    const names = store.shared ? [] : await orFailure(() => store.names());
    for (const name of [...names, ...bornSandboxes]) await this.get(name);
  }

  /** The sandbox of this name; undefined where there is none, or where it is no name of one. */
  get(name: string): Awaitable<Found> {
    const open = this.#open.get(name);
    if (open === undefined && !sandboxName.test(name)) return undefined;
    if (open && this.#shared) return this.#stillThere(name, open);
    if (open instanceof HostedSandbox && open.ttlSeconds !== null && open.isOver(this.now()))
      return andThen(this.remove(open), () => undefined);
    return open ?? this.#open.keep(name, this.#find(name));
  }

  /** Real time in milliseconds since 1970: the machine's own, or that of all servers that share the store. */
  now(): number {
    return this.#shared?.now() ?? machineTime();
  }

  /** Another server may have deleted it since, and made another one of its name. */
  async #stillThere(name: string, opening: Awaitable<Found>): Promise<Found> {
    const open = await opening;
    if (await open?.isThere()) return open;
    if (open) this.#open.drop(open);
    // What is looked for by now was begun after this was asked.
    return this.#open.get(name) ?? this.#open.keep(name, this.#find(name));
  }

  /** The sandbox of the plain base URL. */
  stage(): Awaitable<HostedSandbox> {
    return andThen(this.get(stage), present);
  }

  /** Notes that a sandbox is used at this time of the machine. */
  use(sandbox: HostedSandbox, machine: number): void {
    this.#open.use(sandbox, machine);
    this.#shared?.used(sandbox.name);
  }

  /** Every sandbox that is open and not over. */
  async list(): Promise<readonly Listed[]> {
    await Promise.all(bornSandboxes.map((name) => this.get(name)));
    const shared = this.#shared;
    if (shared) return orFailure(() => shared.list());
    await this.#room.removeOver();
    return [...this.#open];
  }

  /** Makes a sandbox from the fixtures; where there is one of this name by now, that one. */
  make(who: Who): Awaitable<HostedSandbox> {
    if (!sandboxName.test(who.name)) throw new Error(`"${who.name}" is no name of a sandbox`);
    const found = this.#open.get(who.name);
    if (isPromise(found)) return found.then(() => this.make(who));
    return found ?? this.#makeNew(who, {}, (name) => this.#load(name));
  }

  /** Makes a sandbox as it is told. @throws NameTakenError where there is one of this name, NoRoomError. */
  async create(who: Who, told: Told): Promise<HostedSandbox> {
    if (await this.get(who.name)) throw new NameTakenError(who.name);
    // Whoever makes one of this name since is in the map by now.
    if (this.#open.has(who.name)) return this.create(who, told);
    return this.#makeNew(who, told, (name) => {
      throw new NameTakenError(name);
    });
  }

  /** Deletes a sandbox: calls under way in it write nothing any more. Until the store has forgotten it, its name leads nowhere. */
  remove(sandbox: HostedSandbox): Awaitable<void> {
    // A second removal must not meet the one that was made of its name since.
    if (sandbox.isGone) return this.#removals.get(sandbox);
    const removing = this.#remove(sandbox);
    this.#removals.set(sandbox, removing);
    return removing;
  }

  #remove(sandbox: HostedSandbox): Awaitable<void> {
    const isOpen = this.#open.get(sandbox.name) === sandbox;
    sandbox.end();
    this.#open.drop(sandbox);
    const removing = orFailure(() => this.#making.store.remove(sandbox.name));
    if (!isPromise(removing) || !isOpen) return removing;
    const gone = this.#open.keep(
      sandbox.name,
      removing.then(() => undefined),
    );
    return Promise.resolve(gone).then(
      () => undefined,
      (error: unknown) => this.#restored(sandbox.name, error),
    );
  }

  /** What the store could not forget is there as it was, but for what is no state. */
  async #restored(name: string, error: unknown): Promise<never> {
    await Promise.resolve(this.get(name)).catch(() => undefined);
    throw error;
  }

  /** Whether the server closes: whoever sends calls here shall stop. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Lets nothing wait in any sandbox; the server closes. */
  close(): void {
    this.#isClosed = true;
    this.#room.close();
    for (const sandbox of this.#open) sandbox.close();
  }

  /** Whether a new sandbox would let this user in. */
  wouldLogIn(username: string, password: unknown, machine: number): boolean {
    this.#asked ??= newborn(this.#making, { name: stage, environment: stage, madeByLogin: true }, {}, machine);
    const root = this.#asked;
    const { hashes, keeping } = this.#making;
    const terms = new Terms(root.values.readings, root.values.administration_times.values);
    const world = new OpenWorld(
      new Draft(root, keeping.freeze),
      { baseUrl: '', hashes },
      timeOf(root.values.clock, machine),
      terms,
    );
    return userWith(world, username, password) !== undefined;
  }

  #find(name: string): Awaitable<Found> {
    return andThen(this.#load(name), (found) => {
      if (found || !bornSandboxes.includes(name)) return found;
      const root = newborn(this.#beginning, { name, environment: name, madeByLogin: false }, {}, this.now());
      return this.#append(root, () => this.#load(name));
    });
  }

  /** Of a shared store, time that runs on from an instant begins by the time of all servers, with the sandbox. */
  get #beginning(): Beginning {
    const { clock } = this.#making;
    return this.#shared ? { ...this.#making, clock: begunAnew(clock, this.now()) } : this.#making;
  }

  #makeNew(who: Who, told: Told, ifThere: IfThere): Awaitable<HostedSandbox> {
    const root = newborn(this.#making, who, told, this.now());
    this.#open.reserve(who.name);
    try {
      const made = andThen(this.#room.makeFor(who.name), () => this.#append(root, ifThere));
      return andThen(this.#open.keep(who.name, made), present);
    } catch (error) {
      this.#open.release(who.name);
      throw error;
    }
  }

  #append(root: Root, ifThere: IfThere): Awaitable<Found> {
    const { name } = root.values.identity;
    return andThen(
      orFailure(() => this.#making.store.append(name, 0, changesOf(root), { to: root })),
      (answer) => (answer === 'committed' ? this.#made(root) : ifThere(name)),
    );
  }

  #load(name: string): Awaitable<Found> {
    const { store, keeping } = this.#making;
    return andThen(
      orFailure(() => store.load(name)),
      (commit) => commit && this.#hosted(applyChanges(undefined, commit, keeping.freeze)),
    );
  }

  #made(root: Root): HostedSandbox {
    const sandbox = this.#hosted(root);
    if (root.values.identity.madeByLogin) this.#open.awaitLogin(sandbox);
    return sandbox;
  }

  #hosted(root: Root): HostedSandbox {
    const { name } = root.values.identity;
    const sandbox = new HostedSandbox(name, root, this.#making, this.now());
    if (this.#isClosed) sandbox.close();
    return sandbox;
  }
}

/** A sandbox that exists from the start, or was just made, is there: a store that says otherwise is at fault. */
function present(sandbox: Found): HostedSandbox {
  if (!sandbox) throw new StoreFailure('the store neither takes a sandbox nor has it');
  return sandbox;
}
