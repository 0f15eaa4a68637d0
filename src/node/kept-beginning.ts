// What a server says of sandboxes that it found in its state folder: they began by other flags.
import type { Fixtures } from '../contract/fixtures.ts';
import type { CollectionName, RecordOf } from '../contract/records.ts';
import type { State } from '../state/state.ts';
import type { SettingFlags } from './serve-flags.ts';

/** The fixtures with the logins, and what can be ordered, as this sandbox has them now. */
export function fixturesIn(state: State, fixtures: Fixtures): Fixtures {
  const rows = <Name extends CollectionName>(name: Name): RecordOf<Name>[] =>
    Array.from(state.table(name).entries(), ([, row]) => row as RecordOf<Name>);
  return {
    ...fixtures,
    accounts: rows('accounts'),
    brands: rows('brands'),
    users: rows('users'),
    products: rows('products'),
    operator_products: rows('operator_products'),
    administration_times: state.value('administration_times'),
  };
}

/** That flags do not hold for what is there; undefined where none was given that could. */
export function heldFlags({ fixtures, scenario, assume, profile, clock, randomSeed }: SettingFlags, sandboxes: number) {
  const given = {
    '--fixtures': fixtures !== undefined,
    '--scenario': scenario !== undefined,
    '--assume': Object.keys(assume).length > 0,
    '--profile': profile !== 'default',
    '--clock': clock !== undefined,
    '--random-seed': randomSeed !== undefined,
  };
  const flags = Object.entries(given).flatMap(([flag, isGiven]) => (isGiven ? [flag] : []));
  if (flags.length === 0 || sandboxes === 0) return undefined;
  return `state: ${flags.join(', ')}: for sandboxes that are made from now on; the ${sandboxes} from before stay as they are`;
}
