// The readings of what the storage of labels says to an Authorization header.
import { expect } from 'vitest';
import type { Cases } from '../assumption-cases.ts';
import { element, labelUrlOf, outcomeOf } from '../labels.ts';
import type { Answer, TestSachet } from '../sachet.ts';

const message =
  'Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter or ' +
  'the Authorization header should be specified';

/** A label's URL, and its download with this header. */
async function leaking(sachet: TestSachet) {
  const client = await sachet.login();
  const url = await labelUrlOf(client);
  const fetched = (from: string, authorization: string): Promise<Answer> =>
    sachet.call('GET', from, { headers: { authorization } });
  return { token: client.token, url, fetched };
}

export const storageCases: Cases<'storage_auth'> = {
  storage_auth: {
    reject: async (sachet) => {
      const { token, url, fetched } = await leaking(sachet);
      const leaked = await fetched(url, `Bearer ${token}`);
      expect(outcomeOf(leaked)).toBe('400 InvalidArgument');
      const shown = ['Message', 'ArgumentName', 'ArgumentValue'].map((name) => element(leaked, name));
      expect(shown).toEqual([message, 'Authorization', 'Bearer [redacted]']);
      expect(leaked.headers.get('sandbox-rule')).toBe('storage_auth');
      expect(leaked.headers.get('sandbox-assumption')).toContain('storage_auth=reject');
      const { requests } = await sachet.control.sandbox('stage').requests.list();
      expect(JSON.stringify(requests)).not.toContain(token);
      expect(requests.at(-1)?.decision?.sentence).toContain('Rejected by storage_auth. Download a label_url without');
      // Whatever the header says, and whatever else is wrong with the URL.
      for (const header of ['', token, 'Basic eDp5', 'AWS4-HMAC-SHA256 Credential=x'])
        expect(outcomeOf(await fetched(url, header)), header).toBe('400 InvalidArgument');
      expect((await fetched(url, token)).text).not.toContain(token);
      expect(outcomeOf(await fetched(`${url}0`, 'Bearer x'))).toBe('400 InvalidArgument');
      await sachet.advance(900_000);
      expect(outcomeOf(await fetched(url, 'Bearer x'))).toBe('400 InvalidArgument');
      expect(outcomeOf(await sachet.call('GET', url))).toBe('403 AccessDenied');
      // Without a signature there is one mechanism only.
      expect(outcomeOf(await fetched(url.replace(/\?.*/, ''), 'Bearer x'))).toBe('403 AccessDenied');
    },
    ignore: async (sachet) => {
      const { token, url, fetched } = await leaking(sachet);
      const answer = await fetched(url, `Bearer ${token}`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
      expect(answer.headers.get('sandbox-assumption')).toContain('storage_auth=ignore');
      await sachet.advance(900_000);
      expect(outcomeOf(await fetched(url, `Bearer ${token}`))).toBe('403 AccessDenied');
    },
  },
};
