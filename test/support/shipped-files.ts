// The files that the package ships, as they stand on disk.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Every JSON file of a shipped folder, named as a path from the repository's root. */
export function shippedFiles(folder: 'fixtures' | 'scenarios'): { name: string; content: unknown }[] {
  const path = fileURLToPath(new URL(`../../${folder}`, import.meta.url));
  return readdirSync(path)
    .sort()
    .map((name) => ({
      name: `${folder}/${name}`,
      content: JSON.parse(readFileSync(`${path}/${name}`, 'utf8')) as unknown,
    }));
}
