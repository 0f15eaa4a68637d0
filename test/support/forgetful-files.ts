// Files and folders as they are seen, and as they would be after a loss of power: what was not synced is there in part, or not at all.
import type { Choose } from './seeded.ts';

type Edit = { readonly at: number; readonly bytes: Buffer } | { readonly size: number };

/** The bytes after an edit; what was never written between is NUL. */
function edited(before: Buffer, edit: Edit): Buffer {
  if ('size' in edit) return before.subarray(0, edit.size);
  const gap = Buffer.alloc(Math.max(0, edit.at - before.length));
  return Buffer.concat([before.subarray(0, edit.at), gap, edit.bytes]);
}

export class ForgetfulFile {
  changedAt = 0;
  bytes: Buffer;
  #durable: Buffer;
  #unsynced: Edit[] = [];

  constructor(bytes: Buffer = Buffer.alloc(0)) {
    this.bytes = bytes;
    this.#durable = bytes;
  }

  append(bytes: Uint8Array): void {
    this.#edit({ at: this.bytes.length, bytes: Buffer.from(bytes) });
  }

  truncate(size: number): void {
    this.#edit({ size });
  }

  #edit(edit: Edit): void {
    this.bytes = edited(this.bytes, edit);
    this.#unsynced.push(edit);
  }

  /** Begins a sync, which is of what was written before it began. Ended, it stands; forgotten, it is taken for written, and never is. */
  beginSync(): { readonly end: () => void; readonly forget: () => void } {
    const asked = new Set(this.#unsynced);
    const rest = () => this.#unsynced.filter((edit) => !asked.has(edit));
    const end = () => {
      this.#durable = this.#unsynced.filter((edit) => asked.has(edit)).reduce(edited, this.#durable);
      this.#unsynced = rest();
    };
    const forget = () => {
      this.#unsynced = rest();
    };
    return { end, forget };
  }

  afterLoss(choose: Choose): ForgetfulFile {
    const whole = choose(this.#unsynced.length + 1);
    const bytes = this.#unsynced.slice(0, whole).reduce(edited, this.#durable);
    const next = this.#unsynced[whole];
    return new ForgetfulFile(next && choose(2) === 0 ? edited(bytes, torn(next, choose)) : bytes);
  }
}

/** The beginning of a write, and NUL where the rest of it, or of some of it, was to be. */
function torn(edit: Edit, choose: Choose): Edit {
  if ('size' in edit) return edit;
  const { length } = edit.bytes;
  const written = choose(2) === 0 ? choose(length + 1) : Math.max(0, length - choose(4));
  const nul = choose(2) * choose(length - written + 1);
  return { at: edit.at, bytes: Buffer.concat([edit.bytes.subarray(0, written), Buffer.alloc(nul)]) };
}

export type Node = ForgetfulFile | ForgetfulFolder;
type Names = Map<string, Node>;
type Naming = (names: Names) => void;

export class ForgetfulFolder {
  names: Names;
  #durable: Names;
  #unsynced: Naming[] = [];

  constructor(names: Names = new Map()) {
    this.names = names;
    this.#durable = new Map(names);
  }

  set(name: string, node: Node): void {
    this.#do((names) => void names.set(name, node));
  }

  delete(name: string): void {
    this.#do((names) => void names.delete(name));
  }

  /** Both names at once, or neither. */
  rename(from: string, to: string, node: Node): void {
    this.#do((names) => {
      names.delete(from);
      names.set(to, node);
    });
  }

  #do(naming: Naming): void {
    naming(this.names);
    this.#unsynced.push(naming);
  }

  /** Begins a sync, which is of the names as they were when it began. */
  beginSync(): { readonly end: () => void } {
    const asked = new Set(this.#unsynced);
    const end = () => {
      for (const naming of this.#unsynced) if (asked.has(naming)) naming(this.#durable);
      this.#unsynced = this.#unsynced.filter((naming) => !asked.has(naming));
    };
    return { end };
  }

  /** Any of what was not synced may stand. */
  afterLoss(choose: Choose, known = new Map<Node, Node>()): ForgetfulFolder {
    const names = new Map(this.#durable);
    for (const naming of this.#unsynced) if (choose(2) === 0) naming(names);
    const after = Array.from(names, ([name, node]) => [name, known.get(node) ?? lost(node, choose, known)] as const);
    return new ForgetfulFolder(new Map(after));
  }
}

function lost(node: Node, choose: Choose, known: Map<Node, Node>): Node {
  const after = node instanceof ForgetfulFile ? node.afterLoss(choose) : node.afterLoss(choose, known);
  known.set(node, after);
  return after;
}
