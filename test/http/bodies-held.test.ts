// Bodies that come without an end hold so much of the process together, and no more.
import { expect, onTestFinished, test } from 'vitest';
import { orderText } from '../support/posted.ts';
import { type Answer, type Client, testSachet } from '../support/sachet.ts';
import { pieces } from '../support/streamed-bodies.ts';

const kibibyte = 1024;
/** The same bytes for all, so that the test holds them once. */
const half = new Uint8Array(512 * kibibyte).fill(32);
const most = (256 * kibibyte * kibibyte) / half.length;

/** Bodies that bring half a mebibyte and then nothing, until they end. */
function unfinished(client: Client, count: number) {
  const controllers: ReadableStreamDefaultController<Uint8Array>[] = [];
  const answers: Answer[] = [];
  const send = async () => {
    const raw = new ReadableStream<Uint8Array>({
      start(controller) {
        controllers.push(controller);
        controller.enqueue(half);
      },
    });
    answers.push(await client.post('/v2/orders', undefined, { raw }));
  };
  const all = Promise.all(Array.from({ length: count }, send));
  let isEnded = false;
  const end = async () => {
    if (isEnded) return;
    isEnded = true;
    for (const controller of controllers) {
      try {
        controller.enqueue(new TextEncoder().encode(orderText));
        controller.close();
      } catch {
        // It was given up.
      }
    }
    await all;
  };
  onTestFinished(end);
  return { answers, end };
}

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);

test('beyond 256 MiB a long body is refused with 500, and a short one is not', async () => {
  const sachet = testSachet();
  const client = await sachet.login();
  const { answers, end } = unfinished(client, most + 3);
  await expect.poll(() => answers.length).toBe(3);
  for (const { status, headers, body } of answers)
    expect([status, headers.get('sandbox-rule'), body.message]).toEqual([
      500,
      'max_memory',
      'An internal server error occurred',
    ]);
  const long = () => client.post('/v2/orders', undefined, { raw: orderText.padEnd(100 * kibibyte) });
  const short = () => client.post('/v2/orders', undefined, { raw: pieces(orderText) });
  const state = () =>
    sachet.call('POST', '/_admin/sandboxes', {
      raw: '{}'.padEnd(100 * kibibyte),
      headers: { authorization: `Bearer ${sachet.adminKey}` },
    });
  expect(statuses([await long(), await short(), await state()])).toEqual([500, 201, 500]);
  await end();
  // With more to come each needs more room: some make way for the others.
  expect(new Set(statuses(answers))).toEqual(new Set([500, 201]));
  expect(statuses(answers).filter((status) => status === 201).length).toBeGreaterThan(most / 3);
  expect((await long()).status).toBe(201);
});
