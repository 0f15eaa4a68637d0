// What others wrote and the bundle holds, with their licences, as they ask: a plugin that writes dist/licences.txt.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the package that a module stands in; undefined for a module of our own. */
const packageOf = (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0];

/** A package's licence, its notice, and what stands beside a module of it that is a bundle itself: the licences of what that holds. */
function noticeOf(folder, modules) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [licence, notice] = [/^licen[cs]e/i, /^notice/i].map((kind) =>
    readdirSync(folder).find((file) => kind.test(file)),
  );
  const own = [licence, notice].flatMap((file) => (file ? [join(folder, file)] : []));
  const held = modules.map((id) => `${id.replace(/\?.*$/, '')}.LICENSE.txt`).filter((file) => existsSync(file));
  const texts = [...own, ...held].map((file) => readFileSync(file, 'utf8').trim());
  if (!licence) texts.unshift(partOfReadme(folder) ?? withoutText(license, author));
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
}

/** Some have their licence in their readme, under a heading of its own, with which it ends. */
function partOfReadme(folder) {
  const readme = readdirSync(folder).find((file) => /^readme/i.test(file));
  const part =
    readme && /^#+ licen[cs]e\s*\n([\s\S]*Permission[\s\S]*)$/im.exec(readFileSync(join(folder, readme), 'utf8'));
  return part?.[1].trim();
}

/** A package may name its license, and hold no text of it. */
const withoutText = (license, author) =>
  `Licensed under ${license} by ${author?.name ?? author}; the package holds no text of the license.`;

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
