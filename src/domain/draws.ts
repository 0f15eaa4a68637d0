// Chance that belongs to a record: the same for the same record of the same sandbox, whatever else there is.
import type { World } from './world.ts';

/** A number of a purpose that follows from the seed and the record's id: at least 0, under 1. */
export const drawFor = (world: World, purpose: string, id: string): number =>
  world.draw(purpose, Number.parseInt(id.slice(-8), 16));

/** One of these, by chance; undefined where there is none. */
export const pickFor = <T>(world: World, purpose: string, id: string, among: readonly T[]): T | undefined =>
  among[Math.floor(drawFor(world, purpose, id) * among.length)];
