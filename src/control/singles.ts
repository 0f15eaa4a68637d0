// What a sandbox has one of, under control: its operator, its times of administration, its timeline.
import { accepted } from '../contract/admin/fault-refusal.ts';
import type { Given } from '../contract/admin/given-record.ts';
import { mergePatch } from '../contract/merge-patch.ts';
import { type ParsedFile, parseFile } from '../contract/parse-file.ts';
import { type SingleName, type SingleOf, singles } from '../contract/records.ts';
import { internTimes } from '../contract/terms.ts';
import type { Draft } from '../state/draft.ts';
import type { ValueOf } from '../state/root.ts';

export const getSingle = <Name extends SingleName>(draft: Draft, name: Name): SingleOf<Name> =>
  draft.value(name) as SingleOf<Name>;

/** Merge-patches one. @throws ControlRefusal 422 where what becomes of it is not whole. */
export function patchSingle<Name extends SingleName>(draft: Draft, name: Name, patch: Given): SingleOf<Name> {
  const content = mergePatch(getSingle(draft, name), patch);
  setSingle(
    draft,
    name,
    accepted(parseFile(singles[name], { name, content }) as unknown as ParsedFile<SingleOf<Name>>),
  );
  return getSingle(draft, name);
}

/** Puts one; the times of administration are interned, as schemas are built from them. */
export function setSingle<Name extends SingleName>(draft: Draft, name: Name, single: SingleOf<Name>): void {
  const kept = name === 'administration_times' ? internTimes(single as SingleOf<'administration_times'>) : single;
  draft.setValue(name, kept as ValueOf<Name>);
}
