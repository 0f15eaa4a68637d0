// Prints the results to standard output.
import { collectResults } from './results.mjs';

console.log(await collectResults());
