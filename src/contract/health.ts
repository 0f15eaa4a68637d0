// What /health says of a server, and what it means to whoever sends calls there. Without a schema: a health check loads nothing else.

/** The answer's status: 503 is no error, it asks for no further calls. A server that is degraded answers, too, and says what it does not do. */
export const healthStatuses = { ok: 200, degraded: 200, draining: 503 } as const;

export interface Health {
  readonly status: keyof typeof healthStatuses;
  readonly version: string;
  /** Where it is degraded: what it does not do, and why. */
  readonly why?: string | undefined;
}

/** What this body says; undefined where it is none of Sachet's: another server may have a /health, too. */
export function readHealth(body: string): Health | undefined {
  try {
    const { status, version } = JSON.parse(body) as { readonly [Field in keyof Health]?: unknown };
    return isStatus(status) && typeof version === 'string' ? { status, version } : undefined;
  } catch {
    return undefined;
  }
}

const isStatus = (status: unknown): status is Health['status'] =>
  typeof status === 'string' && Object.hasOwn(healthStatuses, status);

/** Whether this body is that of a server that answers calls. */
export function isReady(body: string): boolean {
  const health = readHealth(body);
  return health !== undefined && healthStatuses[health.status] === healthStatuses.ok;
}
