// The room for sandboxes: there are so many at most, and one that is made may have to wait for another to go.
import { builtInSandboxes } from '../contract/addresses.ts';
import { callStore, type SharedStore } from '../state/store.ts';
import { every, machineTime } from '../system/time.ts';
import type { HostedSandbox } from './hosted-sandbox.ts';
import type { OpenSandboxes } from './open-sandboxes.ts';

// Why a sandbox cannot be made.

/** There is a sandbox of this name already. */
export class NameTakenError extends Error {
  constructor(name: string) {
    super(`There is a sandbox "${name}" already; delete it first, or choose another name`);
  }
}

/** There are as many sandboxes as there may be, and none of them is the registry's to delete. */
export class SandboxQuotaError extends Error {
  constructor(most: number) {
    super(`there are ${most} sandboxes, the most there may be; delete some, or give --max-sandboxes a larger number`);
  }
}

export interface SandboxQuota {
  /** Makes way for the one that has taken its room: what is over goes, then the one made by login that was longest unused. @throws SandboxQuotaError */
  makeFor(name: string): Promise<void>;
  /** Those whose time without use is over go. One that cannot be removed now is over again later. */
  removeOver(): Promise<void>;
  /** The server closes. */
  close(): void;
}

/** Of a server that has its sandboxes for itself. */
export class LocalQuota implements SandboxQuota {
  readonly #open: OpenSandboxes;
  readonly #most: number;
  readonly #remove: (sandbox: HostedSandbox) => Promise<void>;
  #sweptAt = 0;

  constructor(open: OpenSandboxes, most: number, remove: (sandbox: HostedSandbox) => Promise<void>) {
    this.#open = open;
    this.#most = most;
    this.#remove = remove;
  }

  async makeFor(name: string): Promise<void> {
    const machine = machineTime();
    // Looks once a second for what is over, so that making many does not look at all of them each time.
    if (Math.abs(machine - this.#sweptAt) >= 1000) {
      this.#sweptAt = machine;
      await this.removeOver();
    }
    if (this.#isOverfull) await this.#evict(machine, name);
  }

  async removeOver(): Promise<void> {
    await Promise.allSettled(this.#open.over().map((sandbox) => this.#remove(sandbox)));
  }

  close(): void {}

  /** The two that exist from the start take their room also before they are opened. */
  get #isOverfull(): boolean {
    const unopened = builtInSandboxes.filter((name) => !this.#open.byName.get(name)).length;
    return this.#open.size + unopened > this.#most;
  }

  async #evict(machine: number, name: string): Promise<void> {
    await this.removeOver();
    if (!this.#isOverfull) return;
    const longestUnused = this.#open.longestUnused(machine);
    if (longestUnused) return this.#remove(longestUnused);
    if (!this.#open.mayGiveRoom(name, machine)) throw new SandboxQuotaError(this.#most);
    // One that is being made can go once it is there. Whoever waits for that takes no room meanwhile.
    this.#open.release(name);
    await this.#open.nextSettled();
    this.#open.reserve(name);
    await this.makeFor(name);
  }
}

/** So long a server keeps what nobody asks it for, in real time; what it lets go is loaded again when it is asked for. */
const idleMilliseconds = 5 * 60_000;
const lookMilliseconds = 30_000;

/** Of servers that share a store: it counts for all of them, and knows by itself what is over. A server has open what it is asked for. */
export class SharedQuota implements SandboxQuota {
  readonly #open: OpenSandboxes;
  readonly #most: number;
  readonly #shared: SharedStore;
  readonly #stop: () => void;

  constructor(open: OpenSandboxes, most: number, shared: SharedStore) {
    this.#open = open;
    this.#most = most;
    this.#shared = shared;
    this.#stop = every(lookMilliseconds, () => this.#letIdleGo());
  }

  async makeFor(): Promise<void> {
    if (!(await callStore(() => this.#shared.makeRoom(this.#most)))) throw new SandboxQuotaError(this.#most);
  }

  async removeOver(): Promise<void> {}

  close(): void {
    this.#stop();
  }

  #letIdleGo(): void {
    const since = this.#shared.now() - idleMilliseconds;
    for (const sandbox of [...this.#open.byName.values()]) {
      if (sandbox.isWaitedFor) continue;
      if (sandbox.usedAt > since) {
        // What another server has deleted may never be asked for here again: tests make and delete many in five minutes.
        void sandbox.catchUp().catch(() => sandbox.isGone && this.#open.drop(sandbox));
        continue;
      }
      this.#open.drop(sandbox);
      this.#shared.letGo(sandbox.name);
      sandbox.close();
    }
  }
}
