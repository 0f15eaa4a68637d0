// The program that commands are added to, and how it speaks when something is wrong.
import { Command } from 'commander';
import { version } from '../version.ts';

/** To be made before its commands, which inherit it: an error is one sentence, thrown to whoever chooses the exit code. */
export const program = (): Command =>
  new Command('sachet')
    .description('A sandbox of the Order and Fulfillment Service')
    .version(version)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(asSentence(text)) });

const asSentence = (text: string): string =>
  `sachet: ${text
    .replace(/^error: /, '')
    .trim()
    .replaceAll('\n', ' ')} (\`--help\` tells the flags)\n`;
