// Every text of the JSON samples, sent as an order: taken or refused as it is listed.
import { test } from 'vitest';
import { type Entry, samples, verdictOf } from '../samples/json.ts';
import { answersIn } from '../support/http-answers.ts';
import { faultsOf, firstOf, shown, tell } from './figure.ts';
import { headText, json } from './request-text.ts';
import { type StressedServer, startStressed } from './server.ts';
import { exchanged, together } from './sockets.ts';

const atATime = 10;

test('samples of JSON', async (context) => {
  const server = await startStressed();
  const otherwise: string[] = [];
  await together(samples, atATime, async (entry) => {
    const answer = await answerTo(server, entry);
    const verdict = answer ? verdictOf(answer) : 'unanswered';
    if (verdict !== entry.verdict) otherwise.push(`${entry.name.slice(0, 80)} is ${verdict}`);
  });
  const counted = (verdict: string) => shown(samples.filter((entry) => entry.verdict === verdict).length);
  const right = samples.length - otherwise.length;
  tell(context, {
    row: 'samples',
    done: `${shown(samples.length)} texts (valid, invalid and unusual JSON), each sent as the body of an order: ${counted('taken')} must be accepted, ${counted('refused')} rejected`,
    wanted: '100 % as expected',
    measured: `${shown((right / samples.length) * 100, 1)} %`,
    faults: faultsOf({ [firstOf(otherwise)]: otherwise.length > 0, 'no samples found': right === 0 }),
  });
});

async function answerTo({ url, port, token }: StressedServer, { bytes }: Entry) {
  const body = Buffer.from(bytes as Uint8Array);
  const head = headText(url, token, 'POST /v2/orders', json, `Content-Length: ${body.length}`, 'Connection: close');
  const [answer] = answersIn(await exchanged(port, Buffer.concat([Buffer.from(head), body])));
  return answer;
}
