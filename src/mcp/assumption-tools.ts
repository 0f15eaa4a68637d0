// The tools about the open questions of the contract: the choices of a sandbox, and what recordings show of them.
import { z } from 'zod';
import type { Input, Result } from '../client/sandbox-control.ts';
import { assumptionIds, assumptionRegister } from '../contract/assumptions.ts';
import { settledChoice } from '../contract/observations.ts';
import { oneOf, pageOf, paging, short, type Tool, tool, writes } from './tool.ts';

const assumptions = tool({
  name: 'assumptions',
  description:
    'The contract leaves questions open. Lists them with the choice of the sandbox and the other choices, or sets ' +
    'choices to test that a client works with each.',
  input: {
    search: z.string().optional().describe('only those with these words, such as cursor'),
    set: z
      .record(z.string(), z.string().nullable())
      .optional()
      .describe('choices by id, such as {"next_cursor": "meta"}; null for the default'),
    ...paging(20),
  },
  annotations: writes(true),
  run: async ({ sandbox }, { search = '', set = {}, ...page }) => {
    const changed = Object.keys(set);
    const choices = await (changed.length > 0
      ? sandbox.assumptions.set(set as Input<'assumptions.set'>)
      : sandbox.assumptions.get());
    const lines = assumptionIds.map((id) => ({ id, line: assumptionLine(id, choices[id]) }));
    const words = search.toLowerCase().split(/\s+/);
    const isFound = ({ id, line }: (typeof lines)[number]): boolean =>
      changed.length > 0 ? changed.includes(id) : words.every((word) => line.toLowerCase().includes(word));
    const found = pageOf(
      lines.filter(isFound),
      page,
      ({ id }) => id,
      ({ line }) => line,
    );
    return found.length > 0 ? found : [`no assumption has "${search}"; search for another word`];
  },
});

/** @example 'list_order = created_at: the order of lists. Choices: created_at (default): …; id: …' */
function assumptionLine(id: (typeof assumptionIds)[number], current: string): string {
  const { question, choices } = assumptionRegister[id];
  const all = choices.map(([choice, gloss], index) => `${choice}${index === 0 ? ' (default)' : ''}: ${gloss}`);
  return `${id} = ${current}: ${question}. Choices: ${all.join('; ')}`;
}

type Report = Awaited<Result<'observations.get'>>;

const calibration = tool({
  name: 'calibration',
  description:
    'Shows which open questions of the contract recorded answers settle, and which stay open. Reads a recording (HAR) ' +
    "of the real service, or the sandbox's own traffic; without either, it shows the last result.",
  input: {
    har: z
      .looseObject({})
      .optional()
      .describe('a HAR document {"log": {"entries": […]}}; larger than 1 MB: sachet learn'),
    traffic: z.boolean().optional().describe("true: read the sandbox's own journal"),
    show: oneOf(['settled', 'open', 'findings']).default('settled').describe('the list to show'),
    ...paging(20),
  },
  annotations: writes(true),
  run: async ({ sandbox }, { har, traffic, show, ...page }) => {
    if (har && traffic) throw new Error('Pass either har or traffic, not both.');
    const recording = traffic ? await sandbox.requests.har() : har;
    const report = recording
      ? await sandbox.observations.learn(recording as Input<'observations.learn'>, { source: har ? 'har' : 'journal' })
      : await sandbox.observations.get();
    const settled = report.observations.filter((one) => settledChoice(one) !== undefined);
    const open = report.observations.filter((one) => settledChoice(one) === undefined);
    const skipped = Object.entries(report.skipped).map(([reason, count]) => `; ${count} skipped: ${reason}`);
    return [
      `calls: ${report.calls}${skipped.join('')}`,
      `settled: ${settled.length}; open: ${open.length}; findings: ${report.findings.length}`,
      ...(show === 'findings'
        ? pageOf([...report.findings.entries()], page, ([index]) => String(index), findingLine)
        : pageOf(show === 'open' ? open : settled, page, ({ assumption }) => assumption, observationLine)),
    ];
  },
});

const findingLine = ([, { evidence, count, problems }]: [number, Report['findings'][number]]): string =>
  `${evidence.call} (${count}): ${short(problems.join(' '), 500)}`;

const observationLine = (one: Report['observations'][number]): string =>
  settledChoice(one) === undefined
    ? `${one.assumption}: ${one.allowed.join(' or ')}; next: ${short(one.next ?? 'no request decides it', 200)}`
    : `${one.assumption} = ${settledChoice(one)} (${one.evidence?.call})`;

export const assumptionTools: readonly Tool[] = [assumptions, calibration];
