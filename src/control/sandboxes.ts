// The registry of sandboxes: finding, making, deleting; the two that exist from the start, and the bound on how many there are.
import { bornSandboxes, sandboxName, stage } from '../contract/addresses.ts';
import { userWith } from '../domain/tokens.ts';
import type { State } from '../state/state.ts';
import { fromStore, type Listed, type SharedStore, StoreFailure } from '../state/store.ts';
import { loadedState } from '../state/storing.ts';
import { begunAnew, machineTime, timeOf } from './clock.ts';
import { HostedSandbox, type Hosting } from './hosted-sandbox.ts';
import { type Beginning, newborn, type Told, type Who } from './newborn.ts';
import { type Found, OpenSandboxes } from './open-sandboxes.ts';
import { NameTakenError, OwnRoom, type Room, SharedRoom } from './room.ts';
import { operatorWorld } from './sandbox-world.ts';

/** What a registry is made with. */
export interface Making extends Beginning, Hosting {
  readonly maxSandboxes: number;
}

/** What becomes of a name that the store has already. */
type IfThere = (name: string) => Promise<Found>;

export class Sandboxes {
  readonly #making: Making;
  readonly #shared: SharedStore | undefined;
  readonly #open = new OpenSandboxes();
  readonly #removals = new WeakMap<HostedSandbox, Promise<void>>();
  /** A sandbox that was never hosted, to ask whom a new one would let in. */
  #asked: State | undefined;
  readonly #room: Room;
  #isClosed = false;

  constructor(making: Making) {
    this.#making = making;
    const { storing, maxSandboxes } = making;
    this.#shared = storing?.store.shared;
    this.#room = this.#shared
      ? new SharedRoom(this.#open, maxSandboxes, this.#shared)
      : new OwnRoom(this.#open, maxSandboxes, (sandbox) => this.remove(sandbox));
  }

  /**
   * Opens what the store has from before, the longest unchanged first: as if it had been used in that order; and those that exist from the start.
   * Of a shared store each server opens what it is asked for.
   */
  async open(): Promise<void> {
    const store = this.#making.storing?.store;
    const names = store && !store.shared ? await fromStore(() => store.names()) : [];
    for (const name of [...names, ...bornSandboxes]) await this.get(name);
  }

  /** The sandbox of this name; undefined if there is none, or it is no name of one. */
  async get(name: string): Promise<Found> {
    const open = this.#open.byName.get(name);
    if (!open) {
      const isName = sandboxName.test(name);
      return isName ? (this.#open.opening(name) ?? this.#open.keep(name, this.#find(name))) : undefined;
    }
    if (this.#shared) return this.#stillThere(open);
    if (!open.isOver()) return open;
    await this.remove(open);
    return undefined;
  }

  /** Real time in milliseconds since 1970: the machine's own, or that of all servers that share the store. */
  now(): number {
    return this.#shared?.now() ?? machineTime();
  }

  /** Another server may have deleted it since, and made another one of its name. */
  async #stillThere(open: HostedSandbox): Promise<Found> {
    try {
      await open.catchUp();
      return open;
    } catch (error) {
      if (!open.isGone) throw error;
      this.#open.drop(open);
      return this.get(open.name);
    }
  }

  /** The sandbox of the plain base URL. */
  async stage(): Promise<HostedSandbox> {
    return present(await this.get(stage));
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
    if (shared) return fromStore(() => shared.list());
    await this.#room.removeOver();
    return [...this.#open.byName.values()];
  }

  /** Makes a sandbox from the fixtures; if there is one of this name by now, gives that one. */
  async make(who: Who): Promise<HostedSandbox> {
    if (!sandboxName.test(who.name)) throw new Error(`"${who.name}" is no name of a sandbox`);
    const opening = this.#open.opening(who.name);
    if (opening) {
      await opening;
      return this.make(who);
    }
    return this.#open.byName.get(who.name) ?? this.#makeNew(who, {}, (name) => this.#load(name));
  }

  /** Makes a sandbox as it is told. @throws NameTakenError if there is one of this name, NoRoomError. */
  async create(who: Who, told: Told): Promise<HostedSandbox> {
    if (await this.get(who.name)) throw new NameTakenError(who.name);
    // Whoever makes one of this name since is known by now.
    if (this.#open.byName.get(who.name) || this.#open.opening(who.name)) return this.create(who, told);
    return this.#makeNew(who, told, async (name) => {
      throw new NameTakenError(name);
    });
  }

  /** Deletes a sandbox: calls under way in it write nothing any more. Until the store has forgotten it, its name leads nowhere. */
  remove(sandbox: HostedSandbox): Promise<void> {
    // A second removal must not meet the one that was made of its name since.
    const known = this.#removals.get(sandbox);
    if (known) return known;
    const removing = this.#remove(sandbox);
    this.#removals.set(sandbox, removing);
    return removing;
  }

  async #remove(sandbox: HostedSandbox): Promise<void> {
    const { name, isGone } = sandbox;
    const isOpen = this.#open.byName.get(name) === sandbox;
    sandbox.end();
    this.#open.drop(sandbox);
    const store = this.#making.storing?.store;
    if (isGone || !store) return;
    const removing = fromStore(() => store.remove(name));
    if (!isOpen) return removing;
    try {
      await this.#open.keep(
        name,
        removing.then(() => undefined),
      );
    } catch (error) {
      // What the store could not forget is there as it was, but for what is no state.
      await this.get(name).catch(() => undefined);
      throw error;
    }
  }

  /** Whether the server closes: whoever sends calls here shall stop. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Lets nothing wait in any sandbox; the server closes. */
  close(): void {
    this.#isClosed = true;
    this.#room.close();
    for (const sandbox of this.#open.byName.values()) sandbox.close();
  }

  /** Whether a new sandbox would let this user in. */
  wouldLogIn(username: string, password: unknown, machine: number): boolean {
    this.#asked ??= newborn(this.#making, { name: stage, environment: stage, madeByLogin: true }, {}, machine);
    const state = this.#asked;
    const now = timeOf(state.value('clock'), machine);
    return userWith(operatorWorld(state, { now, hashes: this.#making.hashes }), username, password) !== undefined;
  }

  async #find(name: string): Promise<Found> {
    const found = await this.#load(name);
    if (found || !bornSandboxes.includes(name)) return found;
    const state = newborn(this.#beginning, { name, environment: name, madeByLogin: false }, {}, this.now());
    return this.#store(state, () => this.#load(name));
  }

  /** Of a shared store, time that runs on from an instant begins by the time of all servers, with the sandbox. */
  get #beginning(): Beginning {
    const { clock } = this.#making;
    return this.#shared ? { ...this.#making, clock: begunAnew(clock, this.now()) } : this.#making;
  }

  async #makeNew(who: Who, told: Told, ifThere: IfThere): Promise<HostedSandbox> {
    const state = newborn(this.#making, who, told, this.now());
    this.#open.reserve(who.name);
    const making = this.#room.makeFor(who.name).then(() => this.#store(state, ifThere));
    const made = present(await this.#open.keep(who.name, making));
    if (made.state === state && who.madeByLogin) this.#open.awaitLogin(made);
    return made;
  }

  async #store(state: State, ifThere: IfThere): Promise<Found> {
    const sandbox = this.#hosted(state, 1);
    const { storing } = this.#making;
    const { name } = sandbox;
    const isKept =
      !storing || (await fromStore(() => storing.store.append(name, 0, [], (version) => sandbox.whole(version))));
    return isKept ? sandbox : ifThere(name);
  }

  async #load(name: string): Promise<Found> {
    const { storing } = this.#making;
    if (!storing) return undefined;
    const loaded = await fromStore(() => storing.store.load(name, 0));
    if (!loaded?.whole) return undefined;
    const { whole, commits } = loaded;
    const { state, version } = loadedState({ whole, commits }, storing);
    return this.#hosted(state, version);
  }

  #hosted(state: State, version: number): HostedSandbox {
    const sandbox = new HostedSandbox(state, version, this.#making, this.now());
    if (this.#isClosed) sandbox.close();
    return sandbox;
  }
}

/** A sandbox that exists from the start, or was just made, is there: a store that says otherwise is at fault. */
function present(sandbox: Found): HostedSandbox {
  if (!sandbox) throw new StoreFailure('the store neither takes a sandbox nor has it');
  return sandbox;
}
