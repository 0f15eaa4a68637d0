// The shipped fixtures and scenarios as files. The build of the binary replaces this file (`bundle.mjs`).
import { fileURLToPath } from 'node:url';

const packageFolder = (folder: string): string => fileURLToPath(new URL(`../${folder}`, import.meta.url));

/** The shipped files, next to the folder of the built command. */
export const fixturesFolder = packageFolder('fixtures');
export const scenariosFolder = packageFolder('scenarios');

/** In the binary, the texts of the shipped files by their paths; empty in the package. */
export const shippedTexts: Readonly<Record<string, string>> = {};
