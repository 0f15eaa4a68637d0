// What JSON.parse lets through and no file may hold: keys that reach for a prototype, endless nesting, endless lists.
import { type FileFault, jsonPath, quoted } from './file-faults.ts';
import type { FixtureFile } from './fixtures.ts';

/** How deep a file's values may be nested, and how many there may be. */
const soundness = { depth: 64, values: 100_000 } as const;

const reaching = ['__proto__', 'constructor', 'prototype'];

export interface Sounded {
  readonly faults: readonly FileFault[];
  /** The content without the refused keys, so that the rest can be checked. */
  readonly content: unknown;
  /** Whether it was walked through to its end; else no schema is to look at it. */
  readonly isBounded: boolean;
}

/** Looks through a file's content before any schema does. */
export function sound({ name, content }: FixtureFile): Sounded {
  const walk = new Walk(name);
  const copy = walk.copy(content, []);
  return { faults: walk.faults, content: copy, isBounded: walk.isBounded };
}

class Walk {
  readonly faults: FileFault[] = [];
  isBounded = true;
  readonly #file: string;
  #values = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** The value without the refused keys. Goes no deeper than the bound, so it may call itself. */
  copy(value: unknown, path: readonly PropertyKey[]): unknown {
    this.#values += 1;
    if (this.#values > soundness.values) return this.#exceeds();
    if (typeof value !== 'object' || value === null) return value;
    if (path.length >= soundness.depth) return this.#tooDeep(path);
    if (Array.isArray(value)) return this.#items(value, path);
    return Object.fromEntries(Object.entries(value).flatMap(([key, item]) => this.#field(key, item, path)));
  }

  #items(items: readonly unknown[], path: readonly PropertyKey[]): unknown[] {
    const copies: unknown[] = [];
    for (const [index, item] of items.entries()) {
      if (this.#values > soundness.values) break;
      copies.push(this.copy(item, [...path, index]));
    }
    return copies;
  }

  #field(key: string, value: unknown, path: readonly PropertyKey[]): [string, unknown][] {
    if (!reaching.includes(key)) return [[key, this.copy(value, [...path, key])]];
    this.#fault(path, `the key ${quoted(key)}`, `no key called ${reaching.join(', ')}`);
    return [];
  }

  /** Told once, however many there are. */
  #exceeds(): undefined {
    if (this.#values === soundness.values + 1)
      this.#fault([], `more than ${soundness.values} values`, `at most ${soundness.values}, nested ones included`);
    this.isBounded = false;
  }

  #tooDeep(path: readonly PropertyKey[]): undefined {
    this.#fault(path, `values nested more than ${soundness.depth} deep`, `at most ${soundness.depth} levels`);
    this.isBounded = false;
  }

  #fault(path: readonly PropertyKey[], found: string, expected: string): void {
    this.faults.push({ file: this.#file, path: jsonPath(path), found, expected });
  }
}
