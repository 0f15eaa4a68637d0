// The JSON of an answer in pieces. What is made once of a record is shared by all answers that tell it, and by the journals that keep
// these: they join the pieces for whoever reads.
import { withoutSignatures } from './redaction.ts';
import { mayHoldSecret } from './secrets.ts';
import { bytesOfText } from './text-size.ts';

/** A fragment as a journal keeps it. */
interface Kept {
  /** Without the signatures of label URLs. */
  readonly text: string;
  /** Whether a secret may stand in it, which only a look at the whole answer can tell. */
  readonly isSuspicious: boolean;
  /** What it takes in memory. */
  readonly bytes: number;
}

/** JSON that begins and ends with brackets, quotes or commas, so that no word runs on from one into the next. */
export class Fragment {
  readonly json: string;
  #kept: Kept | undefined;

  constructor(json: string) {
    this.json = json;
  }

  /** Made once, when the first journal takes it. */
  get kept(): Kept {
    this.#kept ??= keptOf(this.json);
    return this.#kept;
  }
}

function keptOf(json: string): Kept {
  const text = withoutSignatures(json);
  return { text, isSuspicious: mayHoldSecret(text), bytes: bytesOfText(text) };
}

/** The JSON of a T: fragments, one behind the other. */
export class Pieces<T = unknown> {
  declare readonly of?: T;
  protected readonly fragments: readonly Fragment[];
  #sum: Pick<Kept, 'isSuspicious' | 'bytes'> | undefined;
  /** In characters. */
  readonly length: number;

  constructor(fragments: readonly Fragment[]) {
    this.fragments = fragments;
    let length = 0;
    for (const { json } of fragments) length += json.length;
    this.length = length;
  }

  get isSuspicious(): boolean {
    return this.#told.isSuspicious;
  }

  /** What it takes in memory as a journal keeps it, in bytes. */
  get bytes(): number {
    return this.#told.bytes;
  }

  get #told(): Pick<Kept, 'isSuspicious' | 'bytes'> {
    this.#sum ??= sumOf(this.fragments);
    return this.#sum;
  }

  /** As a journal tells it. */
  get kept(): string {
    let text = '';
    for (const { kept } of this.fragments) text += kept.text;
    return text;
  }

  /** As a journal holds it. */
  get held(): Pieces<T> {
    return this;
  }

  toString(): string {
    return this.fragments.map(({ json }) => json).join('');
  }
}

/** Pieces that are asked for again: they are joined once. A journal holds them without that text, whose room it does not count. */
export class JoinedPieces<T = unknown> extends Pieces<T> {
  #text: string | undefined;
  #held: Pieces<T> | undefined;

  override get held(): Pieces<T> {
    this.#held ??= new Pieces<T>(this.fragments);
    return this.#held;
  }

  override toString(): string {
    this.#text ??= super.toString();
    return this.#text;
  }
}

function sumOf(fragments: readonly Fragment[]): Pick<Kept, 'isSuspicious' | 'bytes'> {
  let [isSuspicious, bytes] = [false, 0];
  for (const { kept } of fragments) {
    isSuspicious ||= kept.isSuspicious;
    bytes += kept.bytes;
  }
  return { isSuspicious, bytes };
}
