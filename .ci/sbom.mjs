// Prints the bill of materials of the package in the CycloneDX format: npm's, without the packages that are neither
// installed nor bundled with it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

// Each package that the bundle contains has a heading `name version (license)` there.
const headings = readFileSync('dist/licenses.txt', 'utf8').matchAll(/^(\S+) (\d\S*) \(.*\)$/gm);
const { dependencies, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const installed = Object.entries(dependencies).map(([name, range]) => `${name}@${range}`);
const contained = new Set([...installed, ...Array.from(headings, ([, name, version]) => `${name}@${version}`)]);

const all = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], { maxBuffer: 2 ** 26 });
const bom = JSON.parse(all.toString());
const components = bom.components.filter((component) => contained.has(component['bom-ref']));
const missing = [...contained].filter((ref) => !components.some((component) => component['bom-ref'] === ref));
if (missing.length > 0) throw new Error(`package-lock.json does not have ${missing.join(', ')}`);
const isKept = (ref) => contained.has(ref) || ref === `sachet@${version}`;
const links = bom.dependencies
  .filter(({ ref }) => isKept(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isKept) }));
console.log(JSON.stringify({ ...bom, components, dependencies: links }, null, 2));
