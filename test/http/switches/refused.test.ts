// Settings that are none are refused with 422: the field is named, what was found and what is expected, and nothing is changed.
import { describe, expect, test } from 'vitest';
import { controlled } from '../../support/control.ts';
import { putBody } from '../../support/put-body.ts';

const path = '/sandboxes/stage/switches';
const nobody = '99999999-9999-4999-8999-999999999999';

const bad: readonly [switches: unknown, field: string][] = [
  [[], ''],
  [{ rate_limits: { burst: 1 } }, ''],
  [{ rate_limit: true }, 'rate_limit'],
  [{ rate_limit: {} }, 'rate_limit'],
  [{ rate_limit: { burst: 0 } }, 'rate_limit.burst'],
  [{ rate_limit: { burst: 1.5 } }, 'rate_limit.burst'],
  [{ rate_limit: { burst: '3' } }, 'rate_limit.burst'],
  [{ rate_limit: { burst: null } }, 'rate_limit.burst'],
  [{ rate_limit: { burst: 1_000_001 } }, 'rate_limit.burst'],
  [{ rate_limit: { burst: 1, for_seconds: 1 } }, 'rate_limit'],
  [{ rate_limit: { burst: 1, limit: 1, window_seconds: 1 } }, 'rate_limit'],
  [{ rate_limit: { limit: 1 } }, 'rate_limit'],
  [{ rate_limit: { window_seconds: 1 } }, 'rate_limit'],
  [{ rate_limit: { limit: -1, window_seconds: 1 } }, 'rate_limit.limit'],
  [{ rate_limit: { limit: 1, window_seconds: 0 } }, 'rate_limit.window_seconds'],
  [{ rate_limit: { for_seconds: 315_360_001 } }, 'rate_limit.for_seconds'],
  [{ rate_limit: { for_seconds: 0.5 } }, 'rate_limit.for_seconds'],
  [{ rate_limit: { retry_after: 60 } }, 'rate_limit'],
  [{ rate_limit: { burst: 1, retry_after: -1 } }, 'rate_limit.retry_after'],
  [{ rate_limit: { burst: 1, retry_after: 1.5 } }, 'rate_limit.retry_after'],
  [{ rate_limit: { burst: 1, retryAfter: 60 } }, 'rate_limit'],
  [{ connection: { drop: 'before_processing', after: 'success' } }, 'connection.after'],
  [{ connection: { drop: 'mid_body', after: 2 } }, 'connection.after'],
  [{ token_expiry: {} }, 'token_expiry'],
  [{ token_expiry: { match: { method: 'GET' } } }, 'token_expiry'],
  [{ token_expiry: { expire_issued: false } }, 'token_expiry.expire_issued'],
  [{ token_expiry: { lifetime_seconds: 0 } }, 'token_expiry.lifetime_seconds'],
  [{ token_expiry: { lifetime_seconds: 315_360_001 } }, 'token_expiry.lifetime_seconds'],
  [{ label_expiry: {} }, 'label_expiry'],
  [{ label_expiry: { lifetime_seconds: 604_801 } }, 'label_expiry.lifetime_seconds'],
  [{ label_expiry: { lifetime_seconds: '900' } }, 'label_expiry.lifetime_seconds'],
  [{ inactive_pags: {} }, 'inactive_pags'],
  [{ inactive_pags: { all: false } }, 'inactive_pags.all'],
  [{ inactive_pags: { ids: [] } }, 'inactive_pags.ids'],
  [{ inactive_pags: { ids: ['pag'] } }, 'inactive_pags.ids[0]'],
  [{ inactive_pags: { ids: ['30000000-0000-4000-8000-000000000001', nobody] } }, 'inactive_pags.ids[1]'],
  [{ inactive_pags: { all: true, ids: ['30000000-0000-4000-8000-000000000001'] } }, 'inactive_pags'],
  [{ missing_permission: {} }, 'missing_permission.permissions'],
  [{ missing_permission: { permissions: [] } }, 'missing_permission.permissions'],
  [{ missing_permission: { permissions: ['orders:write', 'orders:delete'] } }, 'missing_permission.permissions[1]'],
  [{ server_error: { burst: 1, probability: 1 } }, 'server_error'],
  [{ server_error: { probability: 1.01 } }, 'server_error.probability'],
  [{ server_error: { probability: -0.01 } }, 'server_error.probability'],
  [{ server_error: { status: 503 } }, 'server_error'],
  [{ latency: {} }, 'latency'],
  [{ latency: { probability: 1 } }, 'latency'],
  [{ latency: { min: 5 } }, 'latency'],
  [{ latency: { max: 5 } }, 'latency'],
  [{ latency: { min: 5, max: 4 } }, 'latency.max'],
  [{ latency: { milliseconds: 1, min: 1, max: 2 } }, 'latency'],
  [{ latency: { milliseconds: 3_600_001 } }, 'latency.milliseconds'],
  [{ connection: {} }, 'connection.drop'],
  [{ connection: { burst: 1 } }, 'connection.drop'],
  [{ connection: { drop: 'sometimes' } }, 'connection.drop'],
  [{ connection: { drop: 'mid_body', burst: 1, probability: 0.5 } }, 'connection'],
  [{ maintenance: {} }, 'maintenance.for_seconds'],
  [{ maintenance: { for_seconds: 0 } }, 'maintenance.for_seconds'],
  [{ maintenance: { for_seconds: 1, burst: 1 } }, 'maintenance'],
  [{ server_error: { match: 'orders.create' } }, 'server_error.match'],
  [{ server_error: { match: { operation: 'orders.delete' } } }, 'server_error.match.operation'],
  [{ server_error: { match: { method: 'get' } } }, 'server_error.match.method'],
  [{ server_error: { match: { path: 'v2/orders' } } }, 'server_error.match.path'],
  [{ server_error: { match: { path: '/sandboxes/stage/v2/orders' } } }, 'server_error.match.path'],
  [{ server_error: { match: { path: '/v2/order' } } }, 'server_error.match.path'],
  [{ server_error: { match: { path: '/v2/orders?limit=1' } } }, 'server_error.match.path'],
  [{ server_error: { match: { status: 200 } } }, 'server_error.match'],
  [{ server_error: { match: { rule: 'ORD-15' } } }, 'server_error.match'],
  [{ server_error: { match: { paths: ['/v2/orders'] } } }, 'server_error.match'],
];

describe('refused, by the field', () => {
  test.each(bad)('%j: %s', async (body, field) => {
    const answer = await putBody(path, { body }, 'PATCH');
    expect(answer.status, answer.text).toBe(422);
    const [first] = answer.body.details;
    expect(first).toEqual({ field, message: expect.stringMatching(/^found .+, expected .+/) });
    expect(answer.body.message).toBe(field === '' ? first.message : `${field}: ${first.message}`);
  });

  test('every fault of a body is told, of every switch', async () => {
    const body = { rate_limit: { burst: 0 }, latency: { min: 5, max: 4 }, connection: {}, maintenance: 5 };
    const answer = await putBody(path, { body }, 'PATCH');
    const fields = answer.body.details.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(['rate_limit.burst', 'latency.max', 'connection.drop', 'maintenance']);
  });
});

describe('taken, at the edge of what is allowed', () => {
  test.each([
    { rate_limit: { burst: 1_000_000, retry_after: 315_360_000 } },
    { rate_limit: { limit: 1_000_000, window_seconds: 315_360_000 } },
    { token_expiry: { lifetime_seconds: 315_360_000 } },
    { label_expiry: { lifetime_seconds: 604_800 } },
    { latency: { min: 0, max: 3_600_000, probability: 0 } },
    { latency: { milliseconds: 0.25 } },
    { maintenance: { for_seconds: 315_360_000 } },
    { server_error: { match: { path: '/v2/orders/{whatever}/cancel', body: [null] } } },
    { server_error: { match: {} } },
  ])('%j', async (body) => {
    expect((await controlled().admin('PATCH', path, body)).body).toMatchObject(body);
  });
});
