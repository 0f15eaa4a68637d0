// State that cannot be read: what is wrong, and three ways out. Whoever finds it has changed nothing.
import { ExitError, exitCodes } from '../exit-error.ts';

/** Three, each a sentence, some with a command to paste (ways-out.ts). */
type WaysOut = readonly [string, string, string];

/** The folder's state is damaged, or cannot be reached: exit code 78. */
export class StateDamage extends ExitError {
  override readonly name = 'StateDamage';
  /**
   * @param what a sentence without its end: the file, and what is wrong with it
   */
  constructor(what: string, waysOut: WaysOut, options?: ErrorOptions) {
    const ways = waysOut.map((way, index) => `  ${index + 1}. ${way}`);
    const words = [`the state cannot be used: ${what}`, 'Nothing was changed. Three ways out:', ...ways];
    super(words.join('\n'), exitCodes.configuration, options);
  }
}
