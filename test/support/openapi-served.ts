// The OpenAPI documents as a server serves them, and what becomes of them by its settings.
import { controlOpenApiPath, openApiPath } from '../../src/contract/addresses.ts';
import type { Json } from './published-documents.ts';
import type { TestSachet } from './sachet.ts';

type Asked = Pick<TestSachet, 'call'>;

/** The service's document under a base URL of the server. */
export const serviceDocumentOf = async (sachet: Asked, base = ''): Promise<Json> =>
  (await sachet.call('GET', base + openApiPath)).body;

export const controlDocumentOf = async (sachet: Asked): Promise<Json> =>
  (await sachet.call('GET', controlOpenApiPath)).body;

/** The URL that the document's paths stand behind. */
export const baseUrlIn = ({ servers }: Json): string => servers[0].url;
