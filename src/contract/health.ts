// The answer of /health. No schema, so that a health check does not load zod.

/** The HTTP status by health. A draining server asks for no further calls; a degraded one still answers. */
export const healthStatuses = { ok: 200, degraded: 200, draining: 503 } as const;

export interface Health {
  readonly status: keyof typeof healthStatuses;
  readonly version: string;
  /** What a degraded server cannot do, and why. */
  readonly why?: string | undefined;
}

/** Parses the body; undefined if another kind of server answered. */
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

/** Whether this is the body of a server that answers calls. */
export function isReady(body: string): boolean {
  const health = readHealth(body);
  return health !== undefined && healthStatuses[health.status] === healthStatuses.ok;
}
