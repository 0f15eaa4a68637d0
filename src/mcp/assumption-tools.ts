// The tools about the open questions of the contract: the choices of a sandbox, and what recordings show of them.
import { z } from 'zod';
import type { Input, Result } from '../client/sandbox-control.ts';
import { assumptionIds, assumptionRegister } from '../contract/assumptions.ts';
import { settledChoice } from '../contract/observations.ts';
import { oneOf, pageOf, paging, short, type Tool, tool, writesOnce } from './tool.ts';

const assumptions = tool({
  name: 'assumptions',
  description:
    'The contract leaves questions open. Lists them with the choice of the sandbox and the other choices, or sets ' +
    'choices to test that a client works with each.',
  input: {
    search: z.string().max(100).optional().describe('only those with these words, such as cursor'),
    set: z
      .record(z.string(), z.string().nullable())
      .optional()
      .describe('choices by id, such as {"next_cursor": "meta"}; null for the default'),
    ...paging(20),
  },
  annotations: writesOnce,
  run: async (sandbox, { search = '', set = {}, ...page }) => {
    const changed = Object.keys(set);
    const choices = await (changed.length > 0
      ? sandbox.assumptions.set(set as Input<'assumptions.set'>)
      : sandbox.assumptions.get());
    const words = search.toLowerCase().split(/\s+/);
    const lines = assumptionIds.map((id) => ({ id, line: assumptionLine(id, choices[id]) }));
    const found = lines.filter(({ id, line }) =>
      changed.length > 0 ? changed.includes(id) : words.every((word) => line.toLowerCase().includes(word)),
    );
    if (found.length === 0) return [`no assumption has "${search}"; search for another word`];
    return pageOf(found, page);
  },
});

/** @example 'list_order = created_at: the order of lists. Choices: created_at (default): …; id: …' */
function assumptionLine(id: (typeof assumptionIds)[number], current: string): string {
  const { question, choices } = assumptionRegister[id];
  const all = choices.map(([choice, gloss], index) => `${choice}${index === 0 ? ' (default)' : ''}: ${gloss}`);
  return `${id} = ${current}: ${question}. Choices: ${all.join('; ')}`;
}

const calibration = tool({
  name: 'calibration',
  description:
    'Shows which open questions of the contract recorded answers settle, and which stay open. Reads a recording ' +
    "(HAR) of the real service, or the sandbox's own traffic; without either, it shows the last result.",
  input: {
    har: z
      .looseObject({})
      .optional()
      .describe('a HAR document {"log": {"entries": […]}}; larger than 1 MB: sachet learn'),
    traffic: z.boolean().optional().describe("true: read the sandbox's own journal"),
    show: oneOf(['settled', 'open', 'findings']).default('settled').describe('the list to show'),
    ...paging(20),
  },
  annotations: writesOnce,
  run: async (sandbox, { har, traffic, show, ...page }) => {
    if (har && traffic) throw new Error('Pass either har or traffic, not both.');
    const recording = traffic ? await sandbox.requests.har() : har;
    const report = recording
      ? await sandbox.observations.learn(recording as Input<'observations.learn'>, { source: har ? 'har' : 'journal' })
      : await sandbox.observations.get();
    const skipped = Object.entries(report.skipped).map(([reason, count]) => `; ${count} skipped: ${reason}`);
    const { observations } = report;
    const lists = {
      settled: observations.filter((one) => settledChoice(one) !== undefined).map(settledLine),
      open: observations.filter((one) => settledChoice(one) === undefined).map(openLine),
      findings: report.findings.map(findingLine),
    };
    const counts = Object.entries(lists).map(([name, { length }]) => `${name}: ${length}`);
    return [`calls: ${report.calls}${skipped.join('')}`, counts.join('; '), ...pageOf(lists[show], page)];
  },
});

type Report = Awaited<Result<'observations.get'>>;
type Observation = Report['observations'][number];

const settledLine = (one: Observation) => ({
  id: one.assumption,
  line: `${one.assumption} = ${settledChoice(one)} (${one.evidence?.call})`,
});

const openLine = ({ assumption, allowed, next }: Observation) => ({
  id: assumption,
  line: `${assumption}: ${allowed.join(' or ')}; next: ${short(next ?? 'no request decides it', 200)}`,
});

const findingLine = ({ evidence, count, problems }: Report['findings'][number], index: number) => ({
  id: String(index),
  line: `${evidence.call} (${count}): ${short(problems.join(' '), 500)}`,
});

export const assumptionTools: readonly Tool[] = [assumptions, calibration];
