// An operation of the control API as an OpenAPI document shows it.
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { stage } from '../addresses.ts';
import type { ControlOperation } from '../admin/control-operation.ts';
import { idempotencyKey, takesKey } from '../admin/control-operation.ts';
import { namesIn } from '../path-template.ts';
import type { ControlExamples } from './control-examples.ts';
import { controlResponses } from './control-responses.ts';
import { tagOfControl } from './control-tags.ts';

export function controlOperationObject(
  operation: ControlOperation,
  { bodies, ids }: ControlExamples,
): ZodOpenApiOperationObject {
  const { id, summary, body, query } = operation;
  const shown = operation.shownBody?.() ?? body;
  const examples = operation.examples ?? (id in bodies ? { sample: bodies[id] } : {});
  const parameters = [...pathParameters(operation, ids[id]), ...(takesKey(operation) ? [keyParameter] : [])];
  const content = shown && {
    'application/json': {
      schema: shown,
      ...(Object.keys(examples).length > 0 ? { examples: shownExamples(examples) } : {}),
    },
  };
  return {
    operationId: id,
    tags: [tagOfControl(id)],
    summary,
    parameters,
    ...(query ? { requestParams: { query } } : {}),
    // A body with a default may be left out.
    ...(content ? { requestBody: { required: !body?.safeParse(undefined).success, content } } : {}),
    responses: controlResponses(operation),
  } as ZodOpenApiOperationObject;
}

/** Names of the path; `stage` is there from the start. */
const pathParameters = ({ path }: ControlOperation, id: string | undefined) =>
  namesIn(path).map((name) => ({
    in: 'path',
    name,
    required: true,
    schema: { type: 'string' },
    ...exampleOf({ sandbox: stage, id }[name]),
  }));

const keyParameter = {
  in: 'header',
  name: idempotencyKey.header,
  required: false,
  description: 'A call that comes again with its key is not done again, and is answered as before.',
  schema: { type: 'string', pattern: idempotencyKey.form.source },
};

const exampleOf = (example: string | undefined) => (example === undefined ? {} : { example });

/** What a reader chooses an example by. */
const shownExamples = (examples: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(examples).map(([name, value]) => [
      name,
      { summary: name === 'sample' ? 'A good request' : name.replaceAll('_', ' '), value },
    ]),
  );
