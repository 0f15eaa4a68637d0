// Which readings a matrix tries: the others of each assumption, one turned at a time from those that the first run has.
import { type AssumptionId, assumptionIds, assumptions, type Readings } from '../../contract/assumptions.ts';
import { internReadings } from '../../contract/readings.ts';
import { UsageError } from '../../stores/errors.ts';

/** One assumption turned to another reading. */
export interface Turn {
  readonly assumption: AssumptionId;
  readonly reading: string;
}

/** What is looked at: an assumption, or one reading of it. */
export interface Only {
  readonly assumption: AssumptionId;
  readonly reading?: string | undefined;
}

const readingsOf = (id: AssumptionId): readonly string[] => assumptions[id].readings.map(([reading]) => reading);

/**
 * In the register's order; those that `only` names, where it names any.
 * @throws UsageError for a reading that the first run has already: there is nothing to turn.
 */
export function turnsFrom(base: Readings, only: readonly Only[]): Turn[] {
  for (const { assumption, reading } of only) if (reading === base[assumption]) throw alreadyThere(base, assumption);
  return assumptionIds
    .flatMap((assumption) => othersOf(base, assumption).map((reading) => ({ assumption, reading })))
    .filter((turn) => only.length === 0 || only.some((one) => isMeant(one, turn)));
}

const othersOf = (base: Readings, id: AssumptionId): string[] =>
  readingsOf(id).filter((reading) => reading !== base[id]);

const isMeant = ({ assumption, reading }: Only, turn: Turn): boolean =>
  assumption === turn.assumption && (reading === undefined || reading === turn.reading);

const alreadyThere = (base: Readings, id: AssumptionId): UsageError =>
  new UsageError(
    `the first run is by ${id}=${base[id]} already; its other readings are: ${othersOf(base, id).join(', ')}`,
  );

/** The readings of the run of a turn. */
export const turnedFrom = (base: Readings, { assumption, reading }: Turn): Readings =>
  internReadings({ ...base, [assumption]: reading });

/** What the reading means, in the register's words, and what the first run has instead. */
export function turnWords({ assumption, reading }: Turn, base: Readings): string {
  const first = base[assumption];
  const was = `first run: ${first}: ${gloss(assumption, first)}`;
  return `${assumption}=${reading}: ${gloss(assumption, reading)} (${was})`;
}

const gloss = (id: AssumptionId, reading: string): string =>
  assumptions[id].readings.find(([name]) => name === reading)?.[1].replaceAll('`', '') ?? '';
