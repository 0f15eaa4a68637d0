// The published documents as Ajv reads them: one of the service for each combination of readings, and the control API's.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Choices } from '../../src/contract/assumptions.ts';
import { Assumptions, resolveChoices } from '../../src/contract/resolved-assumptions.ts';
import { controlDocument } from '../../src/openapi/control-document.ts';
import { controlExamples, samplesOf } from '../../src/openapi/samples.ts';
import { serviceDocument } from '../../src/openapi/service-document.ts';
import { firstReadyUser, orderOf } from '../../src/sample-order.ts';
import { shippedFixtures } from '../../src/shipped.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is read as JSON, member by member
export type Json = any;

export interface Published {
  readonly document: Json;
  /** Complaints about a value, by the JSON pointer of its schema in the document. */
  faultsOf(pointer: string, value: unknown): string[];
}

function published(document: Json): Published {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema(document, 'document');
  const validators = new Map<string, ValidateFunction>();
  return {
    document,
    faultsOf(pointer, value) {
      const validate = validators.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` });
      validators.set(pointer, validate);
      return validate(value) ? [] : [ajv.errorsText(validate.errors)];
    },
  };
}

const baseUrl = 'http://localhost:4010';
const fixtures = shippedFixtures();
const samples = samplesOf(fixtures, firstReadyUser(fixtures), orderOf(fixtures));
/** Choices are interned. */
const services = new WeakMap<Choices, Map<string, Published>>();

export function publishedService(choices: Choices, times: readonly string[]): Published {
  const ofReadings = services.get(choices) ?? new Map<string, Published>();
  const kept = ofReadings.get(times.join());
  if (kept) return kept;
  const assumptions = new Assumptions(choices, times);
  const made = published(serviceDocument({ assumptions, baseUrl, version: '0', samples, answers: {} }));
  services.set(choices, ofReadings.set(times.join(), made));
  return made;
}

/** The service's document by these readings, the others as they are by default, of the shipped fixtures. */
export const documentBy = (assumptions: Partial<Choices> = {}): Json =>
  publishedService(resolveChoices(assumptions), fixtures.administration_times.values).document;

let controlMade: Published | undefined;
export function publishedControl(): Published {
  controlMade ??= published(controlDocument({ url: baseUrl, version: '0', examples: controlExamples(fixtures) }));
  return controlMade;
}
