// PLACEHOLDER, replaced by the helper
import type { Draft } from '../state/draft.ts';
import type { ChangedRecord } from '../state/root.ts';
export const putRecords = (_draft: Draft, _data: object, _now: number): ChangedRecord[] => [];
