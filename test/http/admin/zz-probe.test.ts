import { test } from 'vitest';
import { controlled } from '../../support/control.ts';

test('p', async () => {
  const { admin, sachet } = controlled({ publicUrl: 'https://demo.example' });
  const box = await sachet.sandbox();
  const listen = box.feed.listen.bind(box.feed);
  let stops = 0,
    listens = 0;
  box.feed.listen = ((...a: Parameters<typeof listen>) => {
    listens++;
    const r = listen(...a);
    return {
      ...r,
      stop: () => {
        stops++;
        r.stop();
      },
    };
  }) as never;
  for (let n = 0; n < 5; n++) await admin('HEAD', '/sandboxes/stage/events');
  await new Promise((r) => setTimeout(r, 50));
  console.log('HEAD events', listens, stops);
  console.log(
    'http origin under https public url',
    (await admin('GET', '/sandboxes', undefined, { headers: { origin: 'http://demo.example' } })).status,
  );
});
