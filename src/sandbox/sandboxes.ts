// The registry of sandboxes: finding, making, deleting; the two that exist from the start, and the bound on how many there are.
import { builtInSandboxes, sandboxName, stage } from '../contract/addresses.ts';
import { userWith } from '../domain/tokens.ts';
import { restartedClock, timeOf } from '../state/clock.ts';
import type { State } from '../state/state.ts';
import { callStore, type SandboxListing, type SharedStore, StoreFailure } from '../state/store.ts';
import { machineTime } from '../system/time.ts';
import { HostedSandbox, type Hosting } from './hosted-sandbox.ts';
import { createSandboxState, type NewIdentity, type NewSandboxSettings, type SandboxDefaults } from './new-sandbox.ts';
import { type Found, OpenSandboxes } from './open-sandboxes.ts';
import { LocalQuota, NameTakenError, type SandboxQuota, SharedQuota } from './quota.ts';
import { operatorWorld } from './sandbox-world.ts';

/** What a registry is made with. */
export interface RegistryOptions extends SandboxDefaults, Hosting {
  readonly maxSandboxes: number;
}

/** What becomes of a name that the store has already. */
type IfThere = (name: string) => Promise<Found>;

export class Sandboxes {
  readonly #options: RegistryOptions;
  readonly #shared: SharedStore | undefined;
  readonly #open = new OpenSandboxes();
  readonly #removals = new WeakMap<HostedSandbox, Promise<void>>();
  /** A sandbox that was never hosted, to ask whom a new one would let in. */
  #asked: State | undefined;
  readonly #room: SandboxQuota;
  #isClosed = false;

  constructor(options: RegistryOptions) {
    this.#options = options;
    const { persistence, maxSandboxes } = options;
    this.#shared = persistence?.store.shared;
    this.#room = this.#shared
      ? new SharedQuota(this.#open, maxSandboxes, this.#shared)
      : new LocalQuota(this.#open, maxSandboxes, (sandbox) => this.remove(sandbox));
  }

  /**
   * Opens what the store has from before, the longest unchanged first: as if it had been used in that order; and those that exist from the start.
   * Of a shared store each server opens what it is asked for.
   */
  async open(): Promise<void> {
    const store = this.#options.persistence?.store;
    const names = store && !store.shared ? await callStore(() => store.names()) : [];
    for (const name of [...names, ...builtInSandboxes]) await this.get(name);
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
  async list(): Promise<readonly SandboxListing[]> {
    await Promise.all(builtInSandboxes.map((name) => this.get(name)));
    const shared = this.#shared;
    if (shared) return callStore(() => shared.list());
    await this.#room.removeOver();
    return [...this.#open.byName.values()];
  }

  /** Makes a sandbox from the fixtures; if there is one of this name by now, gives that one. */
  async make(identity: NewIdentity): Promise<HostedSandbox> {
    if (!sandboxName.test(identity.name)) throw new Error(`"${identity.name}" is no name of a sandbox`);
    const opening = this.#open.opening(identity.name);
    if (opening) {
      await opening;
      return this.make(identity);
    }
    return this.#open.byName.get(identity.name) ?? this.#makeNew(identity, {}, (name) => this.#load(name));
  }

  /** Makes a sandbox as it is told. @throws NameTakenError if there is one of this name, SandboxQuotaError. */
  async create(identity: NewIdentity, settings: NewSandboxSettings): Promise<HostedSandbox> {
    if (await this.get(identity.name)) throw new NameTakenError(identity.name);
    // Whoever makes one of this name since is known by now.
    if (this.#open.byName.get(identity.name) || this.#open.opening(identity.name))
      return this.create(identity, settings);
    return this.#makeNew(identity, settings, async (name) => {
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
    const store = this.#options.persistence?.store;
    if (isGone || !store) return;
    const removing = callStore(() => store.remove(name));
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
    this.#asked ??= createSandboxState(
      this.#options,
      { name: stage, environment: stage, madeByLogin: true },
      {},
      machine,
    );
    const state = this.#asked;
    const now = timeOf(state.value('clock'), machine);
    return userWith(operatorWorld(state, { now, hashes: this.#options.hashes }), username, password) !== undefined;
  }

  async #find(name: string): Promise<Found> {
    const found = await this.#load(name);
    if (found || !builtInSandboxes.includes(name)) return found;
    const state = createSandboxState(this.#beginning, { name, environment: name, madeByLogin: false }, {}, this.now());
    return this.#store(state, () => this.#load(name));
  }

  /** Of a shared store, time that runs on from an instant begins by the time of all servers, with the sandbox. */
  get #beginning(): SandboxDefaults {
    const { clock } = this.#options;
    return this.#shared ? { ...this.#options, clock: restartedClock(clock, this.now()) } : this.#options;
  }

  async #makeNew(identity: NewIdentity, settings: NewSandboxSettings, ifThere: IfThere): Promise<HostedSandbox> {
    const state = createSandboxState(this.#options, identity, settings, this.now());
    this.#open.reserve(identity.name);
    const options = this.#room.makeFor(identity.name).then(() => this.#store(state, ifThere));
    const made = present(await this.#open.keep(identity.name, options));
    if (made.state === state && identity.madeByLogin) this.#open.awaitLogin(made);
    return made;
  }

  async #store(state: State, ifThere: IfThere): Promise<Found> {
    const sandbox = this.#hosted(state, 1);
    const { persistence } = this.#options;
    const { name } = sandbox;
    const isKept =
      !persistence ||
      (await callStore(() => persistence.store.append(name, 0, [], (version) => sandbox.whole(version))));
    return isKept ? sandbox : ifThere(name);
  }

  async #load(name: string): Promise<Found> {
    const { persistence } = this.#options;
    if (!persistence) return undefined;
    const loaded = await callStore(() => persistence.store.load(name, 0));
    if (!loaded?.whole) return undefined;
    const { whole, commits } = loaded;
    const { state, version } = persistence.open({ whole, commits });
    return this.#hosted(state, version);
  }

  #hosted(state: State, version: number): HostedSandbox {
    const sandbox = new HostedSandbox(state, version, this.#options, this.now());
    if (this.#isClosed) sandbox.close();
    return sandbox;
  }
}

/** A sandbox that exists from the start, or was just made, is there: a store that says otherwise is at fault. */
function present(sandbox: Found): HostedSandbox {
  if (!sandbox) throw new StoreFailure('the store neither takes a sandbox nor has it');
  return sandbox;
}
