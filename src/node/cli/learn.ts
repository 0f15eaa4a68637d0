// The command line of `sachet learn`.
import { type Command, Option } from 'commander';
import type { LearnFlags } from '../fidelity/learn.ts';
import { absoluteUrl, addOptions, configFlag, jsonFlag, nonEmpty } from './flags.ts';
import { junitFlag } from './results.ts';

export const add = (line: Command): Command =>
  addOptions(line.command('learn'), [baseUrlFlag(), ...reportFlags()])
    .description('find the choices of the service in recordings; exit with 1 if its answers contradict the contract')
    .argument('<har...>', 'HAR files of calls to the service')
    .addHelpText('after', examples)
    .action(learn);

/** Of commands that write a config. */
export const reportFlags = (): Option[] => [
  configFlag('config file to start from; its choices stay unless an answer contradicts them'),
  new Option('--out <file>', 'file to write the config to, for --config')
    .argParser(nonEmpty)
    .default('sachet.config.json'),
  jsonFlag('print the report as one line of JSON'),
  junitFlag(),
];

export const baseUrlFlag = (): Option =>
  new Option('--base-url <url>', 'base URL of the service, if the recordings have calls of several')
    .argParser(absoluteUrl)
    .default(undefined, 'the only one');

const examples = `
Examples:
  sachet learn real.har
  sachet learn monday.har tuesday.har --config sachet.config.json
  sachet serve --config sachet.config.json`;

/** Imports the code only now: no other command needs it. */
async function learn(files: readonly string[], flags: LearnFlags): Promise<void> {
  const { runLearnCommand } = await import('../fidelity/learn.ts');
  if (!(await runLearnCommand(files, flags))) process.exitCode = 1;
}
