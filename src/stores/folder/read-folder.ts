// Reads a state folder at the start. Changes nothing, not even in a damaged folder.
import { sandboxName, shellWord } from '../../contract/addresses.ts';
import type { Fixtures } from '../../contract/fixtures.ts';
import { documentOf, stateOf } from '../../state/persistence.ts';
import { noFreeze, seedOf, unboundedRecords } from '../../state/state.ts';
import { documentFormat, type SandboxDocument, type StoredSandbox } from '../../state/store.ts';
import { DamagedLine, type LoggedSandbox, type ReadLog, readLog } from './change-log.ts';
import { fromBackup, inMemory, oldFormat, otherFolder, StateDamage, setAside } from './damage.ts';
import { readBytes, readDocument, Unreadable } from './document-file.ts';
import { type FileSystem, ifExists } from './file-system.ts';

export const documentFile = (path: string, name: string): string => `${path}/sandboxes/${name}.json`;
export const fixturesFile = (path: string, name: string): string => `${path}/fixtures/${name}.json`;

interface FolderPlace {
  readonly fs: FileSystem;
  readonly path: string;
}

interface ReadSandbox {
  readonly name: string;
  /** Includes the changes of the log. */
  readonly whole: StoredSandbox;
  /** Whether the log has changes that its document lacks. */
  readonly isLogged: boolean;
}

export interface ReadFolder extends Pick<ReadLog, 'size' | 'cutBytes'> {
  /** The longest unchanged first. */
  readonly sandboxes: readonly ReadSandbox[];
}

/** @throws StateDamage */
export async function readFolder(place: FolderPlace): Promise<ReadFolder> {
  const documents = await readDocuments(place);
  const { sandboxes: logged, ...log } = await readChanges(place, documents);
  const sandboxes: ReadSandbox[] = [];
  const fixtures = new Map<string, Fixtures>();
  for (const [name, found] of logged) {
    const fault = documentFault(found.document, name);
    if (fault) throw damage(place, documentFile(place.path, name), fault, setAside(place.path, name));
    const hash = found.document.fixtures;
    const known = fixtures.get(hash) ?? (await read<Fixtures>(place, fixturesFile(place.path, hash), name));
    fixtures.set(hash, known);
    const whole = replayed(found, known);
    sandboxes.push({ name, whole, isLogged: whole.document !== documents.get(name) });
  }
  return { sandboxes, ...log };
}

/** By the names of the sandboxes, the longest unchanged first. */
async function readDocuments(place: FolderPlace): Promise<Map<string, SandboxDocument>> {
  const { fs, path } = place;
  const found: { name: string; document: SandboxDocument; changedAt: number }[] = [];
  const files = await ifExists(fs.readdir(`${path}/sandboxes`));
  if (!files && (await ifExists(fs.stat(`${path}/changes.log`))))
    throw new StateDamage(`${path}/sandboxes: the folder is missing`, [fromBackup(path), otherFolder, inMemory]);
  for (const file of files ?? []) {
    const name = file.replace(/\.json$/, '');
    if (!sandboxName.test(name)) continue;
    if (name === file) {
      const files = await fs.readdir(`${path}/sandboxes/${file}`).catch(() => []);
      if (files.some((one) => /^(?:snapshot|changes)-\d+\./.test(one))) throw oldFormat(path, file);
      continue;
    }
    const document = await read<SandboxDocument>(place, documentFile(path, name), name);
    found.push({ name, document, changedAt: (await fs.stat(documentFile(path, name))).mtimeMs });
  }
  found.sort((a, b) => a.changedAt - b.changedAt);
  return new Map(found.map(({ name, document }) => [name, document]));
}

async function read<T>(place: FolderPlace, file: string, sandbox: string): Promise<T> {
  try {
    const found = await ifExists(readDocument<T>(place.fs, file));
    if (found !== undefined) return found;
    throw new Unreadable('the file is missing');
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw damage(place, file, error.message, setAside(place.path, sandbox));
  }
}

const damage = ({ path }: FolderPlace, file: string, fault: string, way: string): StateDamage =>
  new StateDamage(`${file}: ${fault}`, [fromBackup(path), way, otherFolder]);

/** Without one of these values, every call to the sandbox would fail. */
const requiredValues = [
  ...['tables', 'snapshots', 'made.at', 'made.readings'],
  ...['name', 'environment', 'seed', 'signingKey'].map((key) => `made.identity.${key}`),
  ...['now', 'at', 'rate', 'frozen'].map((key) => `made.clock.${key}`),
];

const valueAt = (document: SandboxDocument, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);

function documentFault(document: SandboxDocument, name: string): string | undefined {
  const { sachet_sandbox: format, sandbox } = document;
  if (!Number.isInteger(format)) return 'it is not a state document of Sachet';
  if (format !== documentFormat)
    return `it has format ${format}; this version of Sachet reads only format ${documentFormat}`;
  if (sandbox !== name) return `it belongs to the sandbox "${sandbox}"`;
  const missing = requiredValues.find((path) => valueAt(document, path) == null);
  return missing && `the value ${missing} is missing`;
}

async function readChanges(place: FolderPlace, documents: ReadonlyMap<string, SandboxDocument>): Promise<ReadLog> {
  const file = `${place.path}/changes.log`;
  const alone = 'use only the documents, and lose the changes after them';
  try {
    const bytes = await ifExists(readBytes(place.fs, file));
    if (bytes || documents.size === 0) return readLog(bytes ?? Buffer.alloc(0), documents);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    let way = `${alone}: remove ${shellWord(file)}`;
    if (error instanceof DamagedLine)
      way = error.orphan
        ? setAside(place.path, error.orphan)
        : `keep the changes before the damage, and lose those after it: truncate -s ${error.offset} ${shellWord(file)}`;
    throw damage(place, file, error.message, way);
  }
  throw damage(place, file, 'the file is missing', `${alone}: touch ${shellWord(file)}`);
}

function replayed({ document, commits }: LoggedSandbox, fixtures: Fixtures): StoredSandbox {
  const last = commits.at(-1);
  if (!last) return { document, fixtures };
  const state = stateOf(document, seedOf(fixtures, noFreeze), unboundedRecords);
  for (const { changes } of commits) state.apply(changes);
  return { document: documentOf(state, last.version, document.fixtures), fixtures };
}
