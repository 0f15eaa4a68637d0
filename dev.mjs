// Builds the command and runs it; `npm run dev` restarts this file after every change of a source.
import './bundle.mjs';

await import('./dist/cli.js');
