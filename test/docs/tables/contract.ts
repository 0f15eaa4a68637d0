// The tables of the service's own contract: its endpoints, its assumptions, the cases that the fixtures hold.
import { type Assumption, assumptionRegister } from '../../../src/contract/assumptions.ts';
import { operationList } from '../../../src/contract/operations.ts';
import { readyMadeCases } from '../ready-made-cases.ts';
import { code, table } from './table.ts';

export function assumptionsTable(): string {
  const rows = Object.entries<Assumption>(assumptionRegister).map(([id, { question, choices }]) => {
    const told = choices.map(([reading, gloss], index) => {
      const shown = index === 0 ? `**${code(reading)}**` : code(reading);
      return `${shown}: ${gloss}`;
    });
    return [code(id), question, told.join('<br>')];
  });
  return table(['assumption', 'what the contract does not show', 'choices (the default in bold)'], rows);
}

export function endpointsTable(): string {
  const rows = operationList.map(({ method, path, summary, permission, offeredBy }) => [
    code(`${method} ${path}`),
    summary,
    permission ? code(permission) : 'no token',
    offeredBy ? `assumed (${code(offeredBy)})` : 'documented',
  ]);
  return table(['endpoint', 'what it does', 'permission', 'in the contract'], rows);
}

export function casesTable(): string {
  const rows = readyMadeCases.map(({ login, call, status, answer, rule }) => [
    code(login),
    call,
    String(status),
    answer,
    rule,
  ]);
  return table(['log in as', 'and', 'status', 'answer', 'rule'], rows);
}
