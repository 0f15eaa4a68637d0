// A plugin that writes dist/licences.txt: the licenses of all packages in the bundle, which they require.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the package of a module; undefined for our own modules. */
const packageOf = (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0];

/** A package's license and notice; for a module that is a bundle itself, also the license file next to it. */
function noticeOf(folder, modules) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [licenseFile, notice] = [/^licen[cs]e/i, /^notice/i].map((kind) =>
    readdirSync(folder).find((file) => kind.test(file)),
  );
  const own = [licenseFile, notice].flatMap((file) => (file ? [join(folder, file)] : []));
  const held = modules.map((id) => `${id.replace(/\?.*$/, '')}.LICENSE.txt`).filter((file) => existsSync(file));
  const texts = [...own, ...held].map((file) => readFileSync(file, 'utf8').trim());
  if (!licenseFile) texts.unshift(partOfReadme(folder) ?? withoutText(license, author));
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
}

/** Some packages have their license in the last section of their readme. */
function partOfReadme(folder) {
  const readme = readdirSync(folder).find((file) => /^readme/i.test(file));
  const part =
    readme && /^#+ licen[cs]e\s*\n([\s\S]*Permission[\s\S]*)$/im.exec(readFileSync(join(folder, readme), 'utf8'));
  return part?.[1].trim();
}

/** Some packages name their license without its text. */
const withoutText = (license, author) =>
  `Licensed under ${license} by ${author?.name ?? author}; the package does not contain its text.`;

export const licences = {
  name: 'licences',
  generateBundle(_, bundle) {
    const modules = Object.values(bundle).flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
    const folders = [...new Set(modules.map(packageOf).filter((folder) => folder !== undefined))].sort();
    const inside = (folder) => modules.filter((id) => packageOf(id) === folder);
    const notices = folders.map((folder) => noticeOf(folder, inside(folder)));
    const source = notices.join(`\n${'-'.repeat(80)}\n\n`);
    this.emitFile({ type: 'asset', fileName: 'licences.txt', source });
  },
};
