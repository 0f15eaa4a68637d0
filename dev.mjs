// Builds the command anew and runs it; `npm run dev` starts this file again whenever a source changes.
import './bundle.mjs';

await import('./dist/cli.js');
