// The folders of fixtures and scenarios that the package ships beside the built command, to be copied and checked.
import { fileURLToPath } from 'node:url';

const beside = (folder: string): string => fileURLToPath(new URL(`../${folder}`, import.meta.url));

export const fixturesFolder = beside('fixtures');
export const scenariosFolder = beside('scenarios');
