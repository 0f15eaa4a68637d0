// The story, told on standard output.
import { story } from './story.mjs';

console.log(await story());
