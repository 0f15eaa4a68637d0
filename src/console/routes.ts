// Loads the web console with its first request: most servers never show a page.
import type { LazyApp } from '../http/app.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { fetchInProcess } from '../http/in-process.ts';
import type { App } from '../http/request-context.ts';

/** @param app answers the calls that the console sends for its user */
export const consoleApp = (deps: Dependencies, app: App): LazyApp => {
  const dependencies = { deps, fetch: fetchInProcess(app, { isByConsole: true }) };
  return async () => (await import('./app.tsx')).createConsole(dependencies);
};
