// A bundler plugin that writes dist/licenses.txt: the license texts of all bundled packages, as those licenses require.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the package folder of a module, or undefined for Sachet's own modules. */
const packageOf = (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0];

/**
 * Returns a package's name and its license and notice. A module that is itself a bundle can have a `.LICENSE.txt` next
 * to it with more of them.
 */
function noticeOf(folder, modules) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [licenseFile, noticeFile] = [/^licen[cs]e/i, /^notice/i].map((kind) =>
    readdirSync(folder).find((file) => kind.test(file)),
  );
  const own = [licenseFile, noticeFile].flatMap((file) => (file ? [join(folder, file)] : []));
  const bundled = modules.map((id) => `${id.replace(/\?.*$/, '')}.LICENSE.txt`).filter((file) => existsSync(file));
  const texts = [...own, ...bundled].map((file) => readFileSync(file, 'utf8').trim());
  if (!licenseFile) texts.unshift(licenseInReadme(folder) ?? statementWithoutText(license, author));
  return { title: `${name} ${version} (${license})`, text: texts.join('\n\n') };
}

/** Some packages have the license text in the last section of their readme. */
function licenseInReadme(folder) {
  const readme = readdirSync(folder).find((file) => /^readme/i.test(file));
  const part =
    readme && /^#+ licen[cs]e\s*\n([\s\S]*Permission[\s\S]*)$/im.exec(readFileSync(join(folder, readme), 'utf8'));
  return part?.[1].trim();
}

/** Some packages name their license and do not include its text. */
const statementWithoutText = (license, author) =>
  `Licensed under ${license} by ${author?.name ?? author}. The package does not include the license text.`;

export const licenses = {
  name: 'licenses',
  generateBundle(_, bundle) {
    const modules = Object.values(bundle).flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
    const folders = [...new Set(modules.map(packageOf).filter((folder) => folder !== undefined))].sort();
    const modulesIn = (folder) => modules.filter((id) => packageOf(id) === folder);
    // Packages with equal texts share one copy.
    const titles = new Map();
    for (const { title, text } of folders.map((folder) => noticeOf(folder, modulesIn(folder))))
      titles.set(text, [...(titles.get(text) ?? []), title]);
    const notices = Array.from(titles, ([text, packages]) => `${packages.join('\n')}\n\n${text}\n`);
    const source = notices.join(`\n${'-'.repeat(80)}\n\n`);
    this.emitFile({ type: 'asset', fileName: 'licenses.txt', source });
  },
};
