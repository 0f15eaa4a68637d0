// Every answer of /v2 is one its operation declares: the status, and the body by its schema under the readings in force.
import { expect } from 'vitest';
import type { Choices } from '../../src/contract/assumptions.ts';
import { type AnswerStatus, answerStatusNames } from '../../src/contract/operation.ts';
import { operationList } from '../../src/contract/operations.ts';
import { errorBody } from '../../src/contract/refusal.ts';
import { Assumptions } from '../../src/contract/resolved-assumptions.ts';

interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
}

const patterns = operationList.map((operation) => ({
  operation,
  pattern: new RegExp(`^(?:/sandboxes/[^/]+)?${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

export function expectDeclared(
  method: string,
  path: string,
  answer: Answered,
  choices: Choices,
  times: readonly string[],
): void {
  const { pathname } = new URL(path, 'http://localhost');
  if (!/^(?:\/sandboxes\/[^/]+)?\/v2\//.test(pathname) || method === 'HEAD') return;
  if (answer.status >= 400) expectErrorBody(answer);
  else expectSuccess(method, pathname, answer, new Assumptions(choices, times));
}

function expectErrorBody({ status, body, text }: Answered): void {
  const parsed = errorBody.parse(body, { error: () => `not the contract's error body: ${text}` });
  expect(Object.keys(answerStatusNames), `status ${status} is not declared`).toContain(String(status));
  expect(parsed.statusCode).toBe(status);
  expect(parsed.error).toBe(answerStatusNames[status as AnswerStatus]);
}

function expectSuccess(
  method: string,
  pathname: string,
  { status, body, text }: Answered,
  assumptions: Assumptions,
): void {
  const found = patterns.find(({ operation, pattern }) => operation.method === method && pattern.test(pathname));
  const schema = found?.operation.responses[status];
  expect(schema, `${method} ${pathname} does not declare ${status}: ${text}`).toBeDefined();
  const result = schema?.(assumptions).safeParse(body);
  const judged = 'by the choices this test made its Sachet with';
  expect(result?.error?.issues ?? [], `${method} ${pathname} ${status}, ${judged}: ${text}`).toEqual([]);
}
