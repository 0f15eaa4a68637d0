// An HTTP Archive (HAR 1.2), as far as the journal fills it in: http://www.softwareishard.com/blog/har-12-spec/.
import { z } from 'zod';

const pair = z.strictObject({ name: z.string(), value: z.string() });
const httpVersion = z.literal('HTTP/1.1');
/** Sizes that were not measured are -1. */
const size = z.int().min(-1);

const message = { httpVersion, cookies: z.array(pair), headers: z.array(pair), headersSize: size, bodySize: size };

const request = z.strictObject({
  method: z.string(),
  url: z.url(),
  ...message,
  queryString: z.array(pair),
  postData: z.strictObject({ mimeType: z.string(), text: z.string() }).optional(),
});

const response = z.strictObject({
  /** 0 where the connection was broken. */
  status: z.int(),
  statusText: z.string(),
  ...message,
  content: z.strictObject({ size, mimeType: z.string(), text: z.string().optional() }),
  redirectURL: z.string(),
});

export const harDocument = z.strictObject({
  log: z.strictObject({
    version: z.literal('1.2'),
    creator: z.strictObject({ name: z.string(), version: z.string() }),
    entries: z.array(
      z.strictObject({
        startedDateTime: z.iso.datetime({ precision: 3 }),
        time: z.number().min(0),
        request,
        response,
        cache: z.strictObject({}),
        timings: z.strictObject({ send: z.number(), wait: z.number(), receive: z.number() }),
        /** Why it was answered so. */
        comment: z.string(),
      }),
    ),
  }),
});
export type HarDocument = z.output<typeof harDocument>;
