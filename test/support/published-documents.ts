// The published documents: one of the service for each combination of choices, and the control API's.
import type { Choices } from '../../src/contract/assumptions.ts';
import { Assumptions, resolveChoices } from '../../src/contract/resolved-assumptions.ts';
import { controlDocument } from '../../src/openapi/control-document.ts';
import { controlExamples, samplesOf } from '../../src/openapi/samples.ts';
import { serviceDocument } from '../../src/openapi/service-document.ts';
import { firstReadyUser, orderOf } from '../../src/sample-order.ts';
import { shippedFixtures } from '../../src/shipped.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is read as JSON, member by member
export type Json = any;

const baseUrl = 'http://localhost:4010';
const fixtures = shippedFixtures();
const samples = samplesOf(fixtures, firstReadyUser(fixtures), orderOf(fixtures));
/** By the choices, which are interned, and the administration times. */
const services = new WeakMap<Choices, Map<string, Json>>();

export function publishedService(choices: Choices, times: readonly string[]): Json {
  const ofChoices = services.get(choices) ?? new Map<string, Json>();
  const assumptions = new Assumptions(choices, times);
  const document =
    ofChoices.get(times.join()) ?? serviceDocument({ assumptions, baseUrl, version: '0', samples, answers: {} });
  services.set(choices, ofChoices.set(times.join(), document));
  return document;
}

/** The service's document with these choices, the others by default, of the shipped fixtures. */
export const documentBy = (assumptions: Partial<Choices> = {}): Json =>
  publishedService(resolveChoices(assumptions), fixtures.administration_times.values);

let control: { readonly document: Json } | undefined;
export function publishedControl(): { readonly document: Json } {
  control ??= { document: controlDocument({ url: baseUrl, version: '0', examples: controlExamples(fixtures) }) };
  return control;
}
