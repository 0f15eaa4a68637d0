// The registry of sandboxes: find, create and delete them. Two exist from the start, and their number is bounded.
import { builtInSandboxes, sandboxName, stage } from '../contract/addresses.ts';
import { userWith } from '../domain/tokens.ts';
import { restartedClock, timeOf } from '../state/clock.ts';
import type { State } from '../state/state.ts';
import { callStore, type SandboxListing, type SharedStore, StoreFailure } from '../state/store.ts';
import { every, machineTime, pause } from '../system/time.ts';
import { HostedSandbox, type HostingOptions } from './hosted-sandbox.ts';
import { createSandboxState, type NewIdentity, type NewSandboxSettings, type SandboxDefaults } from './new-sandbox.ts';
import { operatorWorld } from './sandbox-world.ts';

export interface RegistryOptions extends SandboxDefaults, HostingOptions {
  readonly maxSandboxes: number;
}

/** A sandbox of this name already exists. */
export class NameTakenError extends Error {
  constructor(name: string) {
    const problem = builtInSandboxes.includes(name)
      ? `The sandbox "${name}" is built in;`
      : `A sandbox "${name}" already exists; delete it first, or`;
    super(`${problem} choose another name`);
  }
}

/** The registry is full, and may not delete any sandbox to make room. */
export class SandboxQuotaError extends Error {
  constructor(max: number) {
    super(`the server already has ${max} sandboxes, the maximum; delete some, or set a larger --max-sandboxes`);
  }
}

type Lookup = Promise<HostedSandbox | undefined>;

/** Over a shared store, a server closes sandboxes that are idle for this long, and loads them again when needed. */
const idleMilliseconds = 5 * 60_000;
const idleCheckMilliseconds = 30_000;
/** A login takes no longer than this. */
const maxLoginMilliseconds = 10_000;
const roomCheckMilliseconds = 5;

export class Sandboxes {
  readonly #options: RegistryOptions;
  readonly #shared: SharedStore | undefined;
  /** Sandboxes created by a login are in the order of their last use. */
  readonly #open = new Map<string, HostedSandbox>();
  /** Sandboxes that are being loaded, created or deleted. */
  readonly #pending = new Map<string, Lookup>();
  /** The names that are being created: they count as sandboxes. */
  readonly #creating = new Set<string>();
  readonly #stopIdleCheck: (() => void) | undefined;
  /** The state of a sandbox that a login would create. */
  #template: State | undefined;
  isClosed = false;

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#shared = options.persistence?.store.shared;
    this.#stopIdleCheck = this.#shared && every(idleCheckMilliseconds, () => this.#closeIdle());
  }

  /** Opens the built-in sandboxes and, unless servers share the store, all stored ones, the longest unchanged first. */
  async open(): Promise<void> {
    const store = this.#options.persistence?.store;
    const names = store && !store.shared ? await callStore(() => store.names()) : [];
    for (const name of [...names, ...builtInSandboxes]) await this.get(name);
  }

  /** The sandbox of this name; undefined if it does not exist or the name is invalid. */
  async get(name: string): Lookup {
    const sandbox = this.#open.get(name);
    if (!sandbox)
      return sandboxName.test(name) ? (this.#pending.get(name) ?? this.#track(name, this.#find(name))) : undefined;
    if (this.#shared) return this.#ifStillStored(sandbox);
    if (!sandbox.isExpired()) return sandbox;
    await this.remove(sandbox);
    return undefined;
  }

  /** Another server may have deleted the sandbox, and may have created another one of its name. */
  async #ifStillStored(sandbox: HostedSandbox): Lookup {
    try {
      await sandbox.catchUp();
      return sandbox;
    } catch (error) {
      if (!sandbox.isGone) throw error;
      this.#drop(sandbox);
      return this.get(sandbox.name);
    }
  }

  /** The sandbox of the plain base URL. */
  async stage(): Promise<HostedSandbox> {
    return requireStored(await this.get(stage));
  }

  /** Real time in milliseconds since 1970: the machine's own, or that of all servers that share the store. */
  now(): number {
    return this.#shared?.now() ?? machineTime();
  }

  /** Notes that a sandbox is used at this real time. */
  use(sandbox: HostedSandbox, now: number): void {
    const { name } = sandbox;
    sandbox.usedAt = now;
    if (sandbox.identity.madeByLogin && this.#open.get(name) === sandbox) {
      this.#open.delete(name);
      this.#open.set(name, sandbox);
    }
    this.#shared?.noteUse(name);
  }

  async list(): Promise<readonly SandboxListing[]> {
    await Promise.all(builtInSandboxes.map((name) => this.get(name)));
    const shared = this.#shared;
    if (shared) return callStore(() => shared.list());
    await Promise.all(this.#removeExpired());
    return [...this.#open.values()];
  }

  /** Creates a sandbox for a login, unless another call has created it since `get`. @throws SandboxQuotaError */
  async createForLogin(identity: NewIdentity): Promise<HostedSandbox> {
    const { name } = identity;
    while (this.#pending.has(name)) await this.#pending.get(name);
    return this.#open.get(name) ?? this.#create(identity, {}, () => this.#load(name));
  }

  /** Creates a sandbox. @throws NameTakenError, SandboxQuotaError, and what `createSandboxState` throws */
  async create(identity: NewIdentity, settings: NewSandboxSettings): Promise<HostedSandbox> {
    const { name } = identity;
    // Another call may create it, or begin to, while this one waits.
    do if (await this.get(name)) throw new NameTakenError(name);
    while (this.#open.has(name) || this.#pending.has(name));
    return this.#create(identity, settings, () => Promise.reject(new NameTakenError(name)));
  }

  /** @param ifStored what to do if another server has stored a sandbox of this name */
  async #create(identity: NewIdentity, settings: NewSandboxSettings, ifStored: () => Lookup): Promise<HostedSandbox> {
    const { name } = identity;
    const state = createSandboxState(this.#options, identity, settings, this.now());
    const created = this.#makeRoom(name).then(() => this.#store(state, ifStored));
    return requireStored(await this.#track(name, created));
  }

  /** Deletes a sandbox: calls in progress write nothing more. Its name is pending until the store has deleted it. */
  async remove(sandbox: HostedSandbox): Promise<void> {
    const { name, isGone } = sandbox;
    if (isGone) return void (await this.#pending.get(name));
    sandbox.end();
    this.#drop(sandbox);
    const store = this.#options.persistence?.store;
    if (!store) return;
    const removed = callStore(() => store.remove(name)).then(() => undefined);
    try {
      await this.#track(name, removed);
    } catch (error) {
      // The store still has it: it is opened again, without its journal.
      await this.get(name).catch(() => undefined);
      throw error;
    }
  }

  /** Ends all waits and delays in the sandboxes; the server closes. */
  close(): void {
    this.isClosed = true;
    this.#stopIdleCheck?.();
    for (const sandbox of this.#open.values()) sandbox.close();
  }

  /** Whether this user could log in to a new sandbox. */
  canLogIn(username: string, password: unknown): boolean {
    const machine = this.now();
    const identity = { name: stage, environment: stage, madeByLogin: true };
    this.#template ??= createSandboxState(this.#options, identity, {}, machine);
    const now = timeOf(this.#template.value('clock'), machine);
    const world = operatorWorld(this.#template, { now, hashes: this.#options.hashes });
    return userWith(world, username, password) !== undefined;
  }

  /** Keeps a name pending until the promise settles, then opens the sandbox that it resolves to. */
  async #track(name: string, pending: Lookup): Lookup {
    this.#pending.set(name, pending);
    let sandbox: HostedSandbox | undefined;
    try {
      sandbox = await pending;
      return sandbox;
    } finally {
      if (this.#pending.get(name) === pending) this.#pending.delete(name);
      this.#creating.delete(name);
      if (sandbox) this.#open.set(name, sandbox);
      else this.#open.delete(name);
    }
  }

  #drop(sandbox: HostedSandbox): void {
    if (this.#open.get(sandbox.name) === sandbox) this.#open.delete(sandbox.name);
  }

  /**
   * Makes room: deletes expired sandboxes, then the longest-unused one created by a login. Waits if one may become
   * deletable soon. Does not await between finding and taking the room, so that no parallel call can take it.
   * @throws SandboxQuotaError
   */
  async #makeRoom(name: string): Promise<void> {
    const shared = this.#shared;
    const { maxSandboxes } = this.#options;
    if (shared) {
      if (await callStore(() => shared.makeRoom(maxSandboxes))) return;
      throw new SandboxQuotaError(maxSandboxes);
    }
    const removals = this.#removeExpired();
    // A state folder may hold more sandboxes than the maximum: even then only one is deleted.
    while (this.#isFull()) {
      const longestUnused = [...this.#open.values()].find((one) => one.identity.madeByLogin && !this.#isLoggingIn(one));
      if (longestUnused) {
        removals.push(this.remove(longestUnused));
        break;
      }
      // One may become deletable soon: it is being created, or its login is in progress.
      if (this.#creating.size === 0 && ![...this.#open.values()].some((one) => this.#isLoggingIn(one)))
        throw new SandboxQuotaError(maxSandboxes);
      await pause(roomCheckMilliseconds);
    }
    this.#creating.add(name);
    await Promise.all(removals);
  }

  /** The built-in sandboxes count even before they are opened. */
  #isFull(): boolean {
    const unopened = builtInSandboxes.filter((builtIn) => !this.#open.has(builtIn)).length;
    return this.#open.size + unopened + this.#creating.size >= this.#options.maxSandboxes;
  }

  #isLoggingIn(sandbox: HostedSandbox): boolean {
    return sandbox.isAwaitingLogin && this.now() - sandbox.usedAt < maxLoginMilliseconds;
  }

  /** Deletes the sandboxes whose time to live is over. One that the store cannot delete now expires again later. */
  #removeExpired(): Promise<void>[] {
    const expired = [...this.#open.values()].filter((sandbox) => sandbox.isExpired());
    return expired.map((sandbox) => this.remove(sandbox).catch(() => undefined));
  }

  #closeIdle(): void {
    const idleSince = this.now() - idleMilliseconds;
    for (const sandbox of [...this.#open.values()]) {
      if (sandbox.isInUse) continue;
      if (sandbox.usedAt > idleSince) {
        // Another server may have deleted it, and this one may never be asked for it again.
        void sandbox.catchUp().catch(() => sandbox.isGone && this.#drop(sandbox));
        continue;
      }
      this.#drop(sandbox);
      this.#shared?.release(sandbox.name);
      sandbox.close();
    }
  }

  /** Loads a sandbox from the store; creates a built-in one that is not stored. */
  async #find(name: string): Lookup {
    const found = await this.#load(name);
    if (found || !builtInSandboxes.includes(name)) return found;
    const { clock } = this.#options;
    // Over a shared store, time that runs on from an instant starts with the sandbox, not with this server.
    const defaults = this.#shared ? { ...this.#options, clock: restartedClock(clock, this.now()) } : this.#options;
    const state = createSandboxState(defaults, { name, environment: name, madeByLogin: false }, {}, this.now());
    return this.#store(state, () => this.#load(name));
  }

  async #store(state: State, ifStored: () => Lookup): Lookup {
    const sandbox = this.#host(state, 1);
    sandbox.isAwaitingLogin = sandbox.identity.madeByLogin;
    const { persistence } = this.#options;
    if (!persistence) return sandbox;
    const { store } = persistence;
    const isStored = await callStore(() => store.append(sandbox.name, 0, [], (version) => sandbox.whole(version)));
    return isStored ? sandbox : ifStored();
  }

  async #load(name: string): Lookup {
    const { persistence } = this.#options;
    if (!persistence) return undefined;
    const loaded = await callStore(() => persistence.store.load(name, 0));
    if (!loaded?.whole) return undefined;
    const { state, version } = persistence.open(loaded.whole, loaded.commits);
    return this.#host(state, version);
  }

  #host(state: State, version: number): HostedSandbox {
    const sandbox = new HostedSandbox(state, version, this.#options, this.now());
    if (this.isClosed) sandbox.close();
    return sandbox;
  }
}

/** @throws StoreFailure if the sandbox is missing, although it must exist: the store is at fault */
function requireStored(sandbox: HostedSandbox | undefined): HostedSandbox {
  if (!sandbox) throw new StoreFailure('the store neither created the sandbox nor has it');
  return sandbox;
}
