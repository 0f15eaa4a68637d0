// The parameters of a document with values that are good in a new sandbox. They are put in afterwards: schemas know no fixtures.
import type { Samples } from './samples.ts';
import type { OpenApiDocument } from './shared.ts';

interface Parameter {
  readonly in: string;
  readonly name: string;
}
interface ShownOperation {
  readonly operationId: keyof Samples['requests'];
  readonly parameters?: readonly Parameter[];
}

/** The document with an example for each path parameter, and for the query parameters that the sample requests have. */
export function withParameterExamples(document: OpenApiDocument, { requests }: Samples): OpenApiDocument {
  const paths = Object.entries(document.paths as Record<string, Record<string, ShownOperation>>).map(([path, item]) => [
    path,
    Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, shown(operation, requests)])),
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}

function shown(operation: ShownOperation, requests: Samples['requests']): ShownOperation {
  const { params, query } = requests[operation.operationId];
  if (!operation.parameters) return operation;
  const parameters = operation.parameters.map((parameter) => {
    const example = (parameter.in === 'path' ? params : query)?.[parameter.name];
    if (example === undefined) return parameter;
    return { ...parameter, example: parameter.name === 'limit' ? Number(example) : example };
  });
  return { ...operation, parameters };
}
