// Catches a sandbox up with its clock: every step of the timeline that is due is taken, each at its own time (`fulfillment_timeline: automatic`).

import type { Hashes } from '../domain/hashes.ts';
import { takeStep } from '../domain/timeline.ts';
import type { Draft } from '../state/draft.ts';
import type { Root } from '../state/root.ts';
import type { Sandbox } from '../state/sandbox.ts';
import { type Awaitable, andThen } from '../state/store.ts';
import { StoreFailure } from '../state/store-failure.ts';
import { timeOf } from './clock.ts';
import { dueAt, isAutomatic } from './due.ts';
import { backstage } from './open-world.ts';
import { after } from './timeout.ts';

/** Whether steps wait to be taken at this time of the machine. */
const isBehind = ({ values, tables }: Root, machine: number): boolean =>
  isAutomatic(values.readings) && dueAt(tables.due_steps, timeOf(values.clock, machine)) !== undefined;

/** Takes the first so many steps that are due, in the order of their times; gives the sandbox's time, undefined where steps are left. */
export function catchUp(draft: Draft, hashes: Hashes, machine: number, most: number): number | undefined {
  const now = timeOf(draft.value('clock'), machine);
  if (!isAutomatic(draft.value('readings'))) return now;
  const steps = draft.table('due_steps');
  let step = dueAt(steps, now);
  for (let taken = 0; step && taken < most; taken += 1) {
    takeStep(backstage(draft, { now: Date.parse(step.due_at), hashes }), step);
    step = dueAt(steps, now);
  }
  return step ? undefined : now;
}

// Lets calls into a sandbox once it has caught up with its clock: the steps that are due are taken and kept before, once for all that wait.

/** What is done at a time of the sandbox. */
export type At<T> = (draft: Draft, now: number) => T;

/** The sandbox began anew, or is gone, while a call was under way: it may write nothing, and no answer of it would be true. */
export class LifeOverError extends Error {}

const behind = Symbol('more steps are due than are taken on the way in');
/** How a call enters. */
interface Way<T> {
  readonly enter: (work: (draft: Draft) => T | typeof behind) => Awaitable<T | typeof behind>;
  /** Whether it would be refused by a store that fails. */
  readonly needsStore: boolean;
}

/** Some ten milliseconds' worth. */
const stepsAtOnce = 250;

export class KeepingUp {
  readonly #sandbox: Sandbox;
  readonly #hashes: Hashes;
  #underWay: Promise<StoreFailure | undefined> | undefined;

  constructor(sandbox: Sandbox, hashes: Hashes) {
    this.#sandbox = sandbox;
    this.#hashes = hashes;
  }

  /** Few steps are taken on the way in; where more are due, they are kept before. */
  at<T>(machine: number, run: At<T>, way: Way<T>): Awaitable<T> {
    if (isBehind(this.#sandbox.root, machine)) return this.#afterSteps(machine, run, way);
    const entered = way.enter((draft) => this.#caughtUp(draft, machine, run, stepsAtOnce));
    return andThen(entered, (value) => (value === behind ? this.#afterSteps(machine, run, way) : value));
  }

  #caughtUp<T>(draft: Draft, machine: number, run: At<T>, most: number): T | typeof behind {
    const now = catchUp(draft, this.#hashes, machine, most);
    return now === undefined ? behind : run(draft, now);
  }

  /** A call that waited goes on in the life in which it came, or not at all. */
  async #afterSteps<T>(machine: number, run: At<T>, way: Way<T>): Promise<T> {
    const { lives } = this.#sandbox.root.values.history;
    const live: At<T> = (draft, now) => {
      if (draft.value('history').lives !== lives) throw new LifeOverError('the sandbox began anew');
      return run(draft, now);
    };
    this.#underWay ??= this.#keep(machine).finally(() => {
      this.#underWay = undefined;
    });
    const failure = await this.#underWay;
    if (!failure) return this.at(machine, live, way);
    if (way.needsStore) throw failure;
    // The store does not keep them: a read takes them all, for itself.
    return (await way.enter((draft) => this.#caughtUp(draft, machine, live, Number.POSITIVE_INFINITY))) as T;
  }

  /**
   * Takes and keeps what is due, in transactions of their own: whatever becomes of the calls that wait for it, nobody goes through it again,
   * and other sandboxes have their turn between them. Gives the failure where the store fails.
   */
  async #keep(machine: number): Promise<StoreFailure | undefined> {
    try {
      for (;;) {
        await this.#sandbox.write((draft) => catchUp(draft, this.#hashes, machine, stepsAtOnce));
        if (!isBehind(this.#sandbox.root, machine)) return undefined;
        await new Promise<void>((resolve) => after(0, resolve));
      }
    } catch (error) {
      if (error instanceof StoreFailure) return error;
      throw error;
    }
  }
}
