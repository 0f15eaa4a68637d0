// Reads a state folder at the start. Changes nothing: a damaged folder stays as it is.
import { sandboxName, shellWord } from '../../contract/addresses.ts';
import { documentOf, stateOf } from '../../state/persistence.ts';
import { noFreeze, seedOf } from '../../state/state.ts';
import { documentFormat, type SandboxDocument, type StoredSandbox } from '../../state/store.ts';
import { DamagedLine, type LoggedSandbox, type ReadLog, readLog } from './change-log.ts';
import { firstEdition, fromBackup, inMemory, otherFolder, StateDamage, setAside } from './damage.ts';
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
  const fixtures = new Map<string, StoredSandbox['fixtures']>();
  for (const [name, found] of logged) {
    const fault = documentFault(found.document, name);
    if (fault) throw damage(place.path, `${documentFile(place.path, name)}: ${fault}`, name);
    const hash = found.document.fixtures;
    const known =
      fixtures.get(hash) ?? (await read<StoredSandbox['fixtures']>(place, fixturesFile(place.path, hash), name));
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
      if (files.some((one) => /^(?:snapshot|changes)-\d+\./.test(one))) throw firstEdition(path, file);
      continue;
    }
    const document = await read<SandboxDocument>(place, documentFile(path, name), name);
    found.push({ name, document, changedAt: (await fs.stat(documentFile(path, name))).mtimeMs });
  }
  found.sort((a, b) => a.changedAt - b.changedAt);
  return new Map(found.map(({ name, document }) => [name, document]));
}

async function read<T>({ fs, path }: FolderPlace, file: string, sandbox: string): Promise<T> {
  try {
    const found = await ifExists(readDocument<T>(fs, file));
    if (found !== undefined) return found;
    throw new Unreadable('the file is missing');
  } catch (error) {
    throw error instanceof Unreadable ? damage(path, `${file}: ${error.message}`, sandbox) : error;
  }
}

const damage = (path: string, what: string, sandbox: string): StateDamage =>
  new StateDamage(what, [fromBackup(path), setAside(path, sandbox), otherFolder]);

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
  if (!Number.isInteger(format)) return 'it does not say that it is state of Sachet';
  if (format !== documentFormat) return `it has format ${format}; this version of Sachet reads ${documentFormat} alone`;
  if (sandbox !== name) return `it is of the sandbox "${sandbox}"`;
  const missing = requiredValues.find((path) => valueAt(document, path) == null);
  return missing && `the value ${missing} is missing`;
}

async function readChanges(
  { fs, path }: FolderPlace,
  documents: ReadonlyMap<string, SandboxDocument>,
): Promise<ReadLog> {
  const file = `${path}/changes.log`;
  const damage = (what: string, way: string) =>
    new StateDamage(`${file}: ${what}`, [fromBackup(path), `${way} ${shellWord(file)}`, otherFolder]);
  const alone = 'go on from the documents alone, and lose what came after';
  try {
    const bytes = await ifExists(readBytes(fs, file));
    if (!bytes && documents.size > 0) throw damage('the file is missing', `${alone}: touch`);
    return readLog(bytes ?? Buffer.alloc(0), documents);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const orphan = error instanceof DamagedLine && error.orphan;
    if (orphan)
      throw new StateDamage(`${file}: ${error.message}`, [fromBackup(path), setAside(path, orphan), otherFolder]);
    const before = 'keep what is before the damage, and lose what came after: truncate -s';
    throw damage(error.message, error instanceof DamagedLine ? `${before} ${error.offset}` : `${alone}: remove`);
  }
}

function replayed({ document, commits }: LoggedSandbox, fixtures: StoredSandbox['fixtures']): StoredSandbox {
  const last = commits.at(-1);
  if (!last) return { document, fixtures };
  const recordOptions = { freeze: noFreeze, maxRecords: Number.POSITIVE_INFINITY };
  const state = stateOf(document, seedOf(fixtures, noFreeze), recordOptions);
  for (const { changes } of commits) state.apply(changes);
  return { document: documentOf(state, last.version, document.fixtures), fixtures };
}
