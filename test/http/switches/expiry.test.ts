// token_expiry and label_expiry: issued access tokens or label URLs expire permanently, new ones have another lifetime.
// Refresh tokens are not affected.
import { describe, expect, test } from 'vitest';
import { downloadOutcome, element, labelled } from '../../support/labels.ts';
import type { Answer, Client, TestSachet } from '../../support/sachet.ts';
import { testStage } from '../../support/stage.ts';
import { logIn, present, refresh } from '../../support/tokens.ts';

/** A token or a URL, and its lifetime. */
interface Issued {
  readonly value: string;
  readonly seconds: number;
}

interface Kind {
  /** The lifetime without the switch, and the longest that the switch accepts. */
  readonly usual: number;
  readonly longest: number;
  /** The calls that issue one, by operation. */
  readonly ways: readonly (readonly [
    operation: string,
    call: (client: Client, sachet: TestSachet) => Promise<Answer>,
  ])[];
  readonly issuedIn: (answer: Answer) => Issued;
  readonly use: (sachet: TestSachet, value: string) => Promise<Answer>;
  /** What matches its use. */
  readonly match: object;
  readonly outcomeOf: (answer: Answer) => string;
  readonly expired: string;
}

const urlIn = ({ label_url: value }: { readonly label_url: string }): Issued => ({
  value,
  seconds: Number(new URL(value).searchParams.get('X-Amz-Expires')),
});
const kinds: Readonly<Record<'token_expiry' | 'label_expiry', Kind>> = {
  token_expiry: {
    usual: 86_400,
    longest: 315_360_000,
    ways: [
      ['authentication.token', (_, sachet) => logIn(sachet, 'demo', 'sachet-demo')],
      ['authentication.token', (_, sachet) => logIn(sachet, 'other-brand', 'sachet-other-brand')],
      ['authentication.refresh', ({ refreshToken }, sachet) => refresh(sachet, refreshToken)],
    ],
    issuedIn: ({ body }) => ({ value: body.access_token, seconds: body.expires_in }),
    use: present,
    match: { operation: 'products.list' },
    outcomeOf: ({ status, body }) => `${status} ${body.message ?? ''}`.trim(),
    expired: '401 Token expired',
  },
  label_expiry: {
    usual: 900,
    longest: 604_800,
    ways: [
      ['fulfillments.list', (client) => client.get('/v2/fulfillments?limit=1')],
      ['orders.fulfillments', (client) => client.get(`/v2/orders/${labelled?.order_id}/fulfillments`)],
      ['fulfillments.get', (client) => client.get(`/v2/fulfillments/${labelled?.id}`)],
    ],
    issuedIn: ({ body }) => urlIn(body.fulfillment ?? body.fulfillments[0]),
    use: (sachet, url) => sachet.call('GET', url),
    match: { path: '/_storage/labels/{file}' },
    outcomeOf: (answer) => [downloadOutcome(answer), element(answer, 'Message') ?? []].flat().join(' '),
    expired: '403 AccessDenied Request has expired',
  },
};

describe.each(Object.entries(kinds))('%s', (name, { usual, longest, ways, ...kind }) => {
  async function world() {
    // With another message for invalid tokens.
    const made = await testStage({ assumptions: { unauthorized_message: 'Invalid token' } });
    const { sachet, stage } = made;
    return {
      ...made,
      set: (settings: object | null) => stage.switches.set({ [name]: settings }),
      async issue(client = made.client) {
        const issued: Issued[] = [];
        for (const [, call] of ways) issued.push(kind.issuedIn(await call(client, sachet)));
        return issued;
      },
      /** What a use of each of them leads to; the same for all is said once. */
      async outcome(...issued: readonly Issued[]) {
        const outcomes = new Set<string>();
        for (const { value } of issued) outcomes.add(kind.outcomeOf(await kind.use(sachet, value)));
        return [...outcomes].join();
      },
    };
  }
  const { expired } = kind;
  const secondsOf = (issued: readonly Issued[]) => issued.map(({ seconds }) => seconds);

  test('expire_issued expires all, permanently, in this sandbox; new ones have the usual lifetime until it is set again', async () => {
    const { sachet, set, issue, outcome, elapse, setTo } = await world();
    const old = await issue();
    const ofOther = (await issue(await sachet.login('demo+w7'))).slice(-1);
    await set({ expire_issued: true });
    expect([await outcome(...old), await outcome(...ofOther)]).toEqual([expired, '200']);
    const fresh = await issue();
    expect(secondsOf(fresh)).toEqual(ways.map(() => usual));
    await elapse(usual * 1000 - 1);
    expect(await outcome(...fresh)).toBe('200');
    await elapse(1);
    expect(await outcome(...fresh)).toBe(expired);
    await set(null);
    await setTo(-60_000);
    expect(await outcome(...old)).toBe(expired);
    await setTo(0);
    const late = await issue();
    await set({ expire_issued: true });
    expect([await outcome(...late), await outcome(...(await issue()))]).toEqual([expired, '200']);
  });

  test('expire_issued with a match rejects issued ones in these calls, while it is on', async () => {
    const { set, issue, outcome } = await world();
    const old = await issue();
    await set({ expire_issued: true, match: kind.match });
    expect([await outcome(...old), await outcome(...(await issue()))]).toEqual([expired, '200']);
    await set(null);
    expect(await outcome(...old)).toBe('200');
  });

  test('lifetime_seconds is that of new ones, from the second in which they are issued, to the millisecond', async () => {
    const { set, issue, outcome, setTo } = await world();
    for (const seconds of [1, longest]) {
      await setTo(999);
      await set({ lifetime_seconds: seconds });
      const fresh = await issue();
      expect(secondsOf(fresh)).toEqual(ways.map(() => seconds));
      await setTo(seconds * 1000 - 1);
      expect(await outcome(...fresh)).toBe('200');
      await setTo(seconds * 1000);
      expect(await outcome(...fresh)).toBe(expired);
    }
  });

  test('lifetime_seconds changes none that was issued before or after', async () => {
    const { set, issue, outcome, elapse } = await world();
    const before = await issue();
    await set({ lifetime_seconds: 60 });
    const during = await issue();
    await set(null);
    const after = await issue();
    await elapse(60_000);
    expect([await outcome(...before, ...after), await outcome(...during)]).toEqual(['200', expired]);
    expect(secondsOf(after)).toEqual(ways.map(() => usual));
  });

  test('lifetime_seconds with a match is that of those from these calls', async () => {
    const { set, issue } = await world();
    for (const operation of new Set(ways.map(([one]) => one))) {
      await set({ lifetime_seconds: 5, match: { operation } });
      expect(secondsOf(await issue()), operation).toEqual(ways.map(([one]) => (one === operation ? 5 : usual)));
    }
  });

  test('expire_issued and lifetime_seconds together both apply', async () => {
    const { set, issue, outcome, elapse } = await world();
    const old = await issue();
    await set({ expire_issued: true, lifetime_seconds: 10 });
    const fresh = await issue();
    await elapse(9999);
    expect([await outcome(...old), await outcome(...fresh)]).toEqual([expired, '200']);
    await elapse(1);
    expect(await outcome(...fresh)).toBe(expired);
  });

  test('what is valid stays so over a reset or a restore, and the next expiry expires it, from however many epochs', async () => {
    const { sachet, stage, set, issue, outcome, elapse } = await world();
    const expire = () => set({ expire_issued: true });
    const issueOne = async () => {
      // So that no two URLs are the same.
      await elapse(1000);
      return (await issue(await sachet.login())).at(-1) as Issued;
    };
    const issued: Issued[] = [];
    for (let epoch = 0; epoch < 4; epoch += 1) {
      for (let n = 0; n < epoch; n += 1) await expire();
      const one = await issueOne();
      issued.push(one);
      await stage.reset();
      expect(await outcome(one)).toBe('200');
    }
    await stage.snapshots.create({ name: 'base' });
    await expire();
    const late = await issueOne();
    expect([await outcome(...issued), await outcome(late)]).toEqual([expired, '200']);
    await stage.snapshots.restore('base');
    expect(await outcome(...issued.slice(-1), late)).toBe('200');
    await expire();
    expect(await outcome(...issued, late)).toBe(expired);
  });
});
