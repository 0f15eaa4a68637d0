// What /health says of a server, and what it means to whoever sends calls there. Without a schema: a health check loads nothing else.

/** The answer's status: 503 is no error, it asks for no further calls. */
export const healthStatuses = { ok: 200, draining: 503 } as const;

export interface Health {
  readonly status: keyof typeof healthStatuses;
  readonly version: string;
}

/** Whether this body is that of a server that is ready: another server may have a /health, too. */
export function isHealthy(body: string): boolean {
  try {
    const { status, version } = JSON.parse(body) as Partial<Health>;
    return status === 'ok' && typeof version === 'string';
  } catch {
    return false;
  }
}
