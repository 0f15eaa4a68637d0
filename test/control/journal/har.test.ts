import { expect, test } from 'vitest';
import { type HarDocument, harDocument } from '../../../src/contract/control/requests.ts';
import { harOf } from '../../../src/journal/har.ts';
import type { Journal } from '../../../src/journal/journal.ts';
import { call, newJournal, received } from './calls.ts';

const creator = { name: 'sachet', version: '1.2.3' };
const exported = (journal: Journal): HarDocument =>
  harDocument.parse(harOf(journal.list(), 'http://localhost:4010/sandboxes/w7', creator));

test('an archive has the completed calls, oldest first, in the form of HAR 1.2', () => {
  const journal = newJournal();
  call(journal, { method: 'GET', path: '/v2/fulfillments', query: '?limit=5&limit=6' });
  journal.receive(received());
  const { log } = exported(journal);
  expect([log.version, log.creator, log.entries.length]).toEqual(['1.2', creator, 1]);
  expect(log.entries[0]?.startedDateTime).toBe('2026-11-20T12:00:00.000Z');
  expect(log.entries[0]?.request).toMatchObject({
    method: 'GET',
    url: 'http://localhost:4010/sandboxes/w7/v2/fulfillments?limit=5&limit=6',
    queryString: [
      { name: 'limit', value: '5' },
      { name: 'limit', value: '6' },
    ],
  });
  expect(log.entries[0]?.request).not.toHaveProperty('postData');
});

test('an entry has what was sent and answered, and why, without secrets', () => {
  const journal = newJournal();
  call(
    journal,
    {
      method: 'POST',
      path: '/v2/orders',
      query: '?password=s3cret',
      headers: ['Content-Type', 'application/json', 'authorization', 'Bearer s3cret'],
      operation: 'orders.create',
      body: '{"key":"s3cret"}',
    },
    { status: 201, headers: { 'content-type': 'application/json' }, body: '{"order":{}}', durationMilliseconds: 2.5 },
  );
  const document = exported(journal);
  expect(JSON.stringify(document)).not.toContain('s3cret');
  const [entry] = document.log.entries;
  expect(entry?.request.postData?.mimeType).toBe('application/json');
  expect(entry?.response).toMatchObject({
    status: 201,
    statusText: 'Created',
    headers: [{ name: 'content-type', value: 'application/json' }],
    content: { mimeType: 'application/json', text: '{"order":{}}' },
  });
  expect([entry?.time, entry?.timings.wait, entry?.comment]).toEqual([2.5, 2.5, 'Answered with 201 by orders.create.']);
});

test('the size of a content is that of the body as it was sent, redacted or not, and of bytes', () => {
  const journal = newJournal();
  const body = '{"access_token":"s3cret","name":"Zoë 🌱"}';
  call(journal, {}, { body });
  call(journal, {}, { body: null, bodyBytes: 1234 });
  call(journal, {}, { body: null });
  const contents = exported(journal).log.entries.map(({ response }) => response.content);
  expect(contents.map(({ size }) => size)).toEqual([Buffer.byteLength(body), 1234, 0]);
  expect(contents[0]?.text).not.toContain('s3cret');
});

test('a broken connection has the status 0', () => {
  const journal = newJournal();
  call(journal, {}, { status: null, outcome: { stage: 'admission', faults: ['lost'] } });
  const [entry] = exported(journal).log.entries;
  expect([entry?.response.status, entry?.response.statusText, entry?.response.content.text]).toEqual([
    0,
    '',
    undefined,
  ]);
  expect(entry?.comment).toBe('Connection cut by the fault lost.');
});
