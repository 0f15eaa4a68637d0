// The clock of stage under control, as the calls that turn it.
import { controlled, machineAt } from '../../support/control.ts';
import { noon } from '../../support/sachet.ts';

export function clockOf(clock = noon) {
  const server = controlled({ clock });
  const path = '/sandboxes/stage/clock';
  return {
    ...server,
    shown: async () => (await server.admin('GET', path)).body,
    set: (patch: unknown) => server.admin('PATCH', path, patch),
    advance: (by: unknown) => server.admin('POST', `${path}/advance`, by),
  };
}

/** Where the machine's Date stands in tests of a running clock. */
export const start = '2026-11-20T08:00:00.000Z';

/** The clock of stage, begun at that Date, and what moves the Date on. */
export async function running(clock: string) {
  const move = machineAt(start);
  const server = controlled({ clock });
  await server.sachet.sandbox();
  const path = '/sandboxes/stage/clock';
  return {
    ...server,
    move,
    now: async () => (await server.admin('GET', path)).body.now as string,
    shown: async () => (await server.admin('GET', path)).body,
    set: async (patch: object) => (await server.admin('PATCH', path, patch)).body,
    advance: async (by: object) => (await server.admin('POST', `${path}/advance`, by)).body,
  };
}
