// What the disk does not do, by whom it is asked: told when it begins and when it is over, and to whoever asks how the server is.
import { getSystemErrorMap } from 'node:util';

/** What is asked of the disk. */
export type Asked = 'writes' | 'snapshots';

export class Troubles {
  readonly #tell: (words: string) => void;
  readonly #heal: () => void;
  readonly #known = new Map<string, { readonly of: string; readonly asked: Asked; readonly why: string }>();

  /**
   * @param tell is told once of each kind, when it begins and when it is over
   * @param heal is called with each of them
   */
  constructor(tell: (words: string) => void, heal: () => void) {
    this.#tell = tell;
    this.#heal = heal;
  }

  /** The first of them, of refused writes before others, in words without a path: whoever may ask how the server is may read it. */
  get first(): string | undefined {
    const all = [...this.#known.values()];
    const first = all.find(({ asked }) => asked === 'writes') ?? all[0];
    return first && `the state folder takes no ${first.asked}: ${first.why}`;
  }

  get size(): number {
    return this.#known.size;
  }

  /** Whoever is troubled, each once. */
  get sandboxes(): ReadonlySet<string> {
    return new Set(Array.from(this.#known.values(), ({ of }) => of));
  }

  note(of: string, asked: Asked, error: unknown): void {
    const why = whyOf(error);
    const isNew = !this.#isKnown(asked);
    this.#known.set(`${asked} ${of}`, { of, asked, why });
    if (isNew) this.#tell(`state: no ${asked} are taken, of "${of}" first: ${why}`);
    this.#heal();
  }

  clear(of: string, asked: Asked): void {
    if (!this.#known.delete(`${asked} ${of}`)) return;
    if (!this.#isKnown(asked)) this.#tell(`state: ${asked} are taken again`);
  }

  /** Whoever is gone has none. */
  forget(of: string): void {
    this.clear(of, 'writes');
    this.clear(of, 'snapshots');
  }

  #isKnown(asked: Asked): boolean {
    for (const known of this.#known.values()) if (known.asked === asked) return true;
    return false;
  }
}

/** The system's own words, such as `no space left on device (ENOSPC)`. */
function whyOf(error: unknown): string {
  const { errno, message } = error as NodeJS.ErrnoException;
  const [code, words] = (errno !== undefined && getSystemErrorMap().get(errno)) || [];
  return code === undefined ? message : `${words} (${code})`;
}
