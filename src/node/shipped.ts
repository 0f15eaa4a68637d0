// What the package ships beside the built command.
import { fileURLToPath } from 'node:url';

const beside = (folder: string): string => fileURLToPath(new URL(`../${folder}`, import.meta.url));

export const shippedFixtures = beside('fixtures');
export const shippedScenarios = beside('scenarios');
