// The sandboxes that a server has open: by name, in the order of their last use, and by what ends them.

import { after } from '../system/time.ts';
import type { HostedSandbox } from './hosted-sandbox.ts';

export type Found = HostedSandbox | undefined;

/** A login takes no longer than this; one that was never answered keeps nothing. */
const longestLoginMilliseconds = 10_000;

const isAwaited = (sandbox: HostedSandbox, machine: number): boolean =>
  sandbox.isAwaited && machine - sandbox.usedAt < longestLoginMilliseconds;

export class OpenSandboxes {
  readonly byName: Map<string, HostedSandbox> = new Map();
  /** Those that are being opened, made or forgotten. */
  readonly #opening = new Map<string, Promise<Found>>();
  /** The names that take room: open ones, and those being made. */
  readonly #rooms = new Set<string>();
  /** Those made by login, the longest unused first. */
  readonly #byLogin = new Map<string, HostedSandbox>();
  readonly #awaiting: (() => void)[] = [];
  /** Those that end when they are not used. */
  readonly #mortal = new Set<HostedSandbox>();

  /** How many there are or are being made; one that is only looked for takes no room. */
  get size(): number {
    return this.#rooms.size;
  }

  /** What is under way under a name, and gives what it comes to. */
  opening(name: string): Promise<Found> | undefined {
    return this.#opening.get(name);
  }

  /** Takes room for one that is about to be made; given up by `release`, or with what it comes to. */
  reserve(name: string): void {
    this.#rooms.add(name);
  }

  release(name: string): void {
    if (!this.byName.has(name)) this.#rooms.delete(name);
  }

  /** Whether another one has its room, and may give it up in a moment: it is being made, or its own login is under way. */
  mayGiveRoom(name: string, machine: number): boolean {
    for (const other of this.#rooms) {
      const sandbox = this.byName.get(other);
      if (other !== name && !(sandbox && !isAwaited(sandbox, machine))) return true;
    }
    return false;
  }

  /** Waits until one is through with being opened, made or forgotten, or its own login is answered, or has taken as long as one may. */
  nextSettled(): Promise<void> {
    return new Promise((resolve) => {
      const callOff = after(longestLoginMilliseconds, resolve);
      this.#awaiting.push(() => {
        callOff();
        resolve();
      });
    });
  }

  /** Until its first call, the login that it was made by, is answered. */
  awaitLogin(sandbox: HostedSandbox): void {
    sandbox.isAwaited = true;
    const end = sandbox.journal.onCompleted(() => {
      end();
      sandbox.isAwaited = false;
      this.#wake();
    });
  }

  #wake(): void {
    if (this.#awaiting.length > 0) for (const resolve of this.#awaiting.splice(0)) resolve();
  }

  /** Keeps what is under way under its name until it is settled; a name that leads to nothing is not kept. */
  async keep(name: string, opening: Promise<Found>): Promise<Found> {
    this.#opening.set(name, opening);
    let sandbox: Found;
    try {
      sandbox = await opening;
      return sandbox;
    } finally {
      if (this.#opening.get(name) === opening) this.#opening.delete(name);
      this.#settle(name, sandbox);
    }
  }

  #settle(name: string, sandbox: Found): void {
    this.#wake();
    this.byName.delete(name);
    this.#rooms.delete(name);
    if (!sandbox) return;
    this.byName.set(name, sandbox);
    this.#rooms.add(name);
    if (sandbox.identity.madeByLogin) this.#byLogin.set(name, sandbox);
    if (sandbox.identity.ttlSeconds !== null) this.#mortal.add(sandbox);
  }

  /** Notes a use at this time of the machine. */
  use(sandbox: HostedSandbox, machine: number): void {
    sandbox.usedAt = machine;
    if (this.#byLogin.get(sandbox.name) !== sandbox) return;
    this.#byLogin.delete(sandbox.name);
    this.#byLogin.set(sandbox.name, sandbox);
  }

  /** Lets a sandbox go; another one of its name stays. */
  drop(sandbox: HostedSandbox): void {
    const { name } = sandbox;
    this.#mortal.delete(sandbox);
    if (this.byName.get(name) === sandbox) this.#settle(name, undefined);
    if (this.#byLogin.get(name) === sandbox) this.#byLogin.delete(name);
  }

  /** The one made by login that was longest unused, and whose own login is answered. */
  longestUnused(machine: number): Found {
    for (const sandbox of this.#byLogin.values()) if (!isAwaited(sandbox, machine)) return sandbox;
    return undefined;
  }

  /** Those whose time without use is over. */
  over(): HostedSandbox[] {
    return [...this.#mortal].filter((sandbox) => sandbox.isOver());
  }
}
