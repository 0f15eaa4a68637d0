// Builds and runs the command. `npm run dev` restarts this file after each change of a source file.
import './bundle.mjs';

await import('./dist/cli.js');
