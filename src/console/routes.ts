// Leads to the web console. Everything behind this is loaded with the first of its requests: most servers never show a page.
import type { LazyApp } from '../http/app.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { fetchInProcess } from '../http/in-process.ts';
import type { App } from '../http/request-context.ts';

/**
 * The console as an app of its own, since its routes do not fit into the one regular expression by which the main app finds the service's.
 * @param app answers the calls that the console sends for its user, as it does any client's
 */
export const consoleApp = (deps: Dependencies, app: App): LazyApp => {
  const dependencies = { deps, fetch: fetchInProcess(app, { isByConsole: true }) };
  return async () => (await import('./serve.tsx')).createConsole(dependencies);
};
