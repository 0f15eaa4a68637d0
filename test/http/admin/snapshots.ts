// The snapshots of stage under control, as the calls that take and restore them.
import { controlled } from '../../support/control.ts';

export function snapshots(options: Parameters<typeof controlled>[0] = {}) {
  const server = controlled(options);
  const path = '/sandboxes/stage/snapshots';
  return {
    ...server,
    take: (name: unknown) => server.admin('POST', path, { name }),
    list: async () => (await server.admin('GET', path)).body.snapshots,
    get: (name: string) => server.admin('GET', `${path}/${name}`),
    drop: (name: string) => server.admin('DELETE', `${path}/${name}`),
    restore: (name: string) => server.admin('POST', `${path}/${name}/restore`),
    switches: async (patch: object = {}) => (await server.admin('PATCH', '/sandboxes/stage/switches', patch)).body,
    advance: (seconds: number) => server.admin('POST', '/sandboxes/stage/clock/advance', { seconds }),
  };
}
