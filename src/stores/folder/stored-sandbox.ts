// One sandbox on the disk: `state.json`, and `changes.log` with a line for each version behind it.

import { shellWord } from '../../contract/shell-word.ts';
import type { SandboxDocument } from '../../state/document.ts';
import { documentFormat } from '../../state/document.ts';
import type { Commit, Loaded, Whole } from '../../state/store.ts';
import { ChangeLog, DamagedLine, lineOf, readLog, TouchedError } from './change-log.ts';
import { fromBackup, moved, otherFolder, StateDamage, setAside, unreachable } from './damage.ts';
import type { Disk } from './disk.ts';
import { readDocument, Unreadable, writeDocument } from './document-file.ts';

/** Where sandboxes are kept, and how. */
export interface FolderSetting {
  readonly disk: Disk;
  /** The state folder. */
  readonly path: string;
  /** Whether a write is acknowledged once it stands, or before. */
  readonly sync: 'always' | 'interval';
  /** A log that is longer is folded into the document, if it is also longer than that. In bytes. */
  readonly foldedBytes: number;
  /** Told of a log that could not be folded. */
  readonly onUnfolded: (error: unknown) => void;
}

export const sandboxFolder = ({ path }: Pick<FolderSetting, 'path'>, name: string): string =>
  `${path}/sandboxes/${name}`;
const fixturesFile = ({ path }: Pick<FolderSetting, 'path'>, name: string): string => `${path}/fixtures/${name}.json`;

/** A sandbox as it was read. Nothing was changed. */
export interface ReadSandbox extends Loaded {
  readonly whole: Whole;
  readonly version: number;
  readonly log: { readonly size: number; readonly cutBytes: number };
}

/** @throws StateDamage */
export async function readSandbox(setting: FolderSetting, name: string): Promise<ReadSandbox> {
  const { disk, path } = setting;
  const folder = sandboxFolder(setting, name);
  const { files } = await disk.names(folder);
  if (files.some((file) => /^(?:snapshot-\d+\.json|changes-\d+\.log)$/.test(file))) throw firstEdition(path, folder);
  for (const file of ['state.json', 'changes.log'])
    if (!files.includes(file)) throw missing(path, name, `${folder}/${file}`);
  const document = await read<SandboxDocument>(setting, name, `${folder}/state.json`);
  const fault = headingFault(document, name);
  if (fault) throw damage(path, name, `${folder}/state.json: ${fault}`, otherFolder);
  const fixtures = await read<Whole['fixtures']>(setting, name, fixturesFile(setting, document.fixtures));
  const { commits, ...log } = readChanges(path, name, await disk.read(`${folder}/changes.log`), document.version);
  return { whole: { document, fixtures }, commits, log, version: commits.at(-1)?.version ?? document.version };
}

async function read<T>({ disk, path }: FolderSetting, name: string, file: string): Promise<T> {
  try {
    return await readDocument<T>(disk, file);
  } catch (error) {
    if (error instanceof Unreadable) throw damage(path, name, `${file}: ${error.message}`, otherFolder, error);
    throw unreachable(path, error);
  }
}

function readChanges(path: string, name: string, bytes: Buffer, version: number) {
  const file = `${sandboxFolder({ path }, name)}/changes.log`;
  try {
    return readLog(bytes, version);
  } catch (error) {
    if (!(error instanceof DamagedLine)) throw error;
    const cut = `truncate -s ${error.offset} ${shellWord(file)}`;
    const keep = `keep what is before the damage (version ${error.version}), and lose what came after: ${cut}`;
    throw damage(path, name, `${file}: ${error.message}`, keep, error);
  }
}

function headingFault({ sachet_sandbox: format, sandbox }: SandboxDocument, name: string): string | undefined {
  if (!Number.isInteger(format)) return 'it does not say that it is state of Sachet';
  if (format !== documentFormat)
    return `it was written by another Sachet, in format ${format}; this one reads format ${documentFormat}: run the one that wrote it`;
  return sandbox === name ? undefined : `it is of the sandbox "${sandbox}"`;
}

const damage = (path: string, name: string, what: string, wayOut: string, cause?: Error): StateDamage =>
  new StateDamage(what, [fromBackup(sandboxFolder({ path }, name), `${path}/${name}`), wayOut, setAside(path, name)], {
    cause,
  });

const missing = (path: string, name: string, file: string): StateDamage =>
  damage(
    path,
    name,
    `${file} is missing`,
    file.endsWith('.log')
      ? `go on from state.json alone, and lose what came after: touch ${shellWord(file)}`
      : otherFolder,
  );

const firstEdition = (path: string, folder: string): StateDamage =>
  new StateDamage(`${folder} was written by the first edition of Sachet (0.1), which kept state in another format`, [
    'start that version with this folder, save GET /_admin/sandboxes/{sandbox}/state of each sandbox, and PUT it to this version over another folder',
    `begin anew, and keep what is there: ${moved(path, `${path}.first-edition`)}`,
    otherFolder,
  ]);

export class StoredSandbox {
  readonly #setting: FolderSetting;
  readonly #folder: string;
  readonly #name: string;
  #log: ChangeLog;
  #version: number;
  /** The log is folded when it is longer. */
  #foldedAt: number;
  /** Whether the log may lack what was acknowledged: then the next version is written as a document. */
  #isUnsure = false;
  /** Whether a removal has failed on its way: the folder may have another name. */
  #isAstray = false;
  /** Gives the sandbox as it is now; for when nothing is appended. */
  #whole: (() => Whole) | undefined;
  /** One thing is done at a time. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(setting: FolderSetting, name: string, version: number, log: ChangeLog) {
    this.#setting = setting;
    this.#name = name;
    this.#folder = sandboxFolder(setting, name);
    this.#version = version;
    this.#log = log;
    this.#foldedAt = setting.foldedBytes;
  }

  /** Makes a sandbox: all of it stands once this is over, or nothing. */
  static async create(setting: FolderSetting, name: string, whole: Whole): Promise<StoredSandbox> {
    const { disk, path } = setting;
    const [folder, making] = [sandboxFolder(setting, name), sandboxFolder(setting, `.new-${name}`)];
    const sandboxes = `${path}/sandboxes`;
    let log: ChangeLog | undefined;
    try {
      // What an attempt that failed has left goes first. A folder with a sandbox's name is whole at any moment.
      const { folders } = await disk.names(sandboxes);
      await disk.remove(making);
      if (folders.includes(name)) await disk.rename(folder, making);
      await disk.remove(making);
      await disk.makeFolder(making);
      log = await ChangeLog.create(disk, `${making}/changes.log`);
      await writeDocument(disk, `${making}/state.json`, whole.document);
      await disk.rename(making, folder);
      await disk.syncFolder(sandboxes);
      return new StoredSandbox(setting, name, whole.document.version, log);
    } catch (error) {
      await log?.close().catch(() => undefined);
      await disk.rename(folder, making).catch(() => undefined);
      await disk.remove(making).catch(() => undefined);
      throw error;
    }
  }

  static async open(setting: FolderSetting, name: string, { version, log }: ReadSandbox): Promise<StoredSandbox> {
    const opened = await ChangeLog.open(setting.disk, `${sandboxFolder(setting, name)}/changes.log`, log);
    return new StoredSandbox(setting, name, version, opened);
  }

  /** See Store. @throws what the disk says */
  append(commit: Commit, whole: () => Whole): Promise<boolean> {
    return this.#inTurn(async () => {
      if (commit.version !== this.#version + 1) return false;
      this.#whole = whole;
      if (this.#isAstray) await this.#comeBack();
      if (this.#isUnsure) await this.#fold(whole());
      else await this.#write(commit);
      this.#version = commit.version;
      if (this.#log.size > this.#foldedAt) await this.#foldIfPossible(whole());
      return true;
    });
  }

  async #write(commit: Commit): Promise<void> {
    try {
      await this.#log.append(lineOf(commit), this.#setting.sync === 'always');
    } catch (error) {
      if (error instanceof TouchedError) this.#isUnsure = true;
      throw error;
    }
  }

  /** The change is kept, whatever becomes of this: it is tried again when the log has grown on. */
  async #foldIfPossible(whole: Whole): Promise<void> {
    this.#foldedAt = this.#log.size + this.#setting.foldedBytes / 4;
    try {
      await this.#fold(whole);
    } catch (error) {
      this.#setting.onUnfolded(error);
    }
  }

  /** Writes the document; the log begins anew behind it. */
  async #fold({ document }: Whole): Promise<void> {
    const { disk } = this.#setting;
    if (this.#isUnsure) await disk.makeFolder(this.#folder);
    const size = await writeDocument(disk, `${this.#folder}/state.json`, document);
    if (this.#isUnsure) {
      await this.#log.close().catch(() => undefined);
      this.#log = await ChangeLog.create(disk, `${this.#folder}/changes.log`);
    }
    await this.#log.empty();
    this.#isUnsure = false;
    // So that what is written twice is no more than what was written once.
    this.#foldedAt = Math.max(this.#setting.foldedBytes, size);
  }

  /** What was acknowledged by now stands once this is over. */
  async flush(): Promise<void> {
    try {
      await this.#log.flush();
    } catch (error) {
      // The system may have dropped what it was to write.
      this.#isUnsure = true;
      throw error;
    }
  }

  /** Takes it from the disk; its name is free once this is over. @throws what the disk says; then it is there as it was */
  remove(): Promise<void> {
    return this.#inTurn(async () => {
      const { disk, path } = this.#setting;
      if (this.#isAstray) await this.#comeBack();
      await disk.remove(this.#goneFolder);
      this.#isAstray = true;
      try {
        const { folders } = await disk.names(`${path}/sandboxes`);
        if (folders.includes(this.#name)) await disk.rename(this.#folder, this.#goneFolder);
        await disk.syncFolder(`${path}/sandboxes`);
      } catch (error) {
        await this.#comeBack().catch(() => undefined);
        throw error;
      }
      // Its name is free: what cannot be cleared away now is so at the next start.
      await this.#log.close().catch(() => undefined);
      await disk.remove(this.#goneFolder).catch(() => undefined);
    });
  }

  get #goneFolder(): string {
    return sandboxFolder(this.#setting, `.gone-${this.#name}`);
  }

  /** After a removal that failed on its way, it stands under its own name again. */
  async #comeBack(): Promise<void> {
    const { disk, path } = this.#setting;
    const { folders } = await disk.names(`${path}/sandboxes`);
    if (!folders.includes(this.#name)) await disk.rename(this.#goneFolder, this.#folder);
    await disk.syncFolder(`${path}/sandboxes`);
    this.#isAstray = false;
  }

  /** All that was acknowledged stands once this is over. */
  close(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#isAstray) await this.#comeBack();
      try {
        if (!this.#isUnsure) await this.#log.settle();
        await this.flush();
      } catch (error) {
        if (!this.#whole) throw error;
        this.#isUnsure = true;
      }
      if (this.#isUnsure && this.#whole) await this.#fold(this.#whole());
      await this.#log.close();
    });
  }

  /** Closes the file; nothing is written. */
  letGo(): Promise<void> {
    return this.#inTurn(() => this.#log.close());
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

/** Fixtures are kept once, by their name, which is a hash of theirs. */
export async function keepFixtures(setting: FolderSetting, { document, fixtures }: Whole): Promise<void> {
  const { disk, path } = setting;
  const { files } = await disk.names(`${path}/fixtures`);
  if (files.includes(`${document.fixtures}.json`)) return;
  await disk.makeFolder(`${path}/fixtures`);
  await writeDocument(disk, fixturesFile(setting, document.fixtures), fixtures);
}
