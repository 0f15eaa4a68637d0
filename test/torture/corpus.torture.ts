// Every text of the corpus of JSON, sent as an order: taken or refused as it is listed.
import { test } from 'vitest';
import { corpus, type Entry, verdictOf } from '../corpus/json.ts';
import { answersIn } from '../support/http-answers.ts';
import { faultsOf, firstOf, shown, tell } from './figure.ts';
import { headText, json } from './request-text.ts';
import { type Tortured, tortured } from './server.ts';
import { exchanged, together } from './sockets.ts';

const atATime = 10;

test('a corpus of JSON', async (context) => {
  const server = await tortured();
  const otherwise: string[] = [];
  await together(corpus, atATime, async (entry) => {
    const answer = await answerTo(server, entry);
    const verdict = answer ? verdictOf(answer) : 'unanswered';
    if (verdict !== entry.verdict) otherwise.push(`${entry.name.slice(0, 80)} is ${verdict}`);
  });
  const counted = (verdict: string) => shown(corpus.filter((entry) => entry.verdict === verdict).length);
  const right = corpus.length - otherwise.length;
  tell(context, {
    row: 'corpus',
    done: `${shown(corpus.length)} texts, valid, invalid and odd JSON, each as the body of an order: ${counted('taken')} to be taken, ${counted('refused')} to be refused`,
    wanted: '100 % as listed',
    measured: `${shown((right / corpus.length) * 100, 1)} %`,
    faults: faultsOf({ [firstOf(otherwise)]: otherwise.length > 0, 'the corpus is empty': right === 0 }),
  });
});

async function answerTo({ url, port, token }: Tortured, { bytes }: Entry) {
  const body = Buffer.from(bytes as Uint8Array);
  const head = headText(url, token, 'POST /v2/orders', json, `Content-Length: ${body.length}`, 'Connection: close');
  const [answer] = answersIn(await exchanged(port, Buffer.concat([Buffer.from(head), body])));
  return answer;
}
