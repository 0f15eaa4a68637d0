// Who may have known an answer when a call was made.
import { expect, test } from 'vitest';
import { type Came, knew, type Told } from '../../../src/control/conduct/told.ts';

const connection = {};
const told: Told = { id: 'a', connection, seen: { from: 7 }, endedAt: 1000, answeredAt: 0 };
const came = (by: object | undefined, startedAt: number, sequence = 0): Came => ({
  connection: by,
  startedAt,
  sequence,
});

test('whoever calls again by the same connection has read the answer', () => {
  expect([knew(told, came(connection, 1000)), knew(told, came(connection, 999))]).toEqual(['yes', 'no']);
});

test('what comes by another connection within a second may have been under way', () => {
  expect([999, 1000, 1999, 2000].map((at) => knew(told, came({}, at)))).toEqual(['no', 'perhaps', 'perhaps', 'yes']);
});

test('in process the turn tells, however fast it is', () => {
  expect([knew(told, came(undefined, 1000, 6)), knew(told, came(undefined, 1000, 7))]).toEqual(['no', 'yes']);
});
