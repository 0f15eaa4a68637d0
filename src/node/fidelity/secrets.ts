// Hides the password and the tokens of a service in all texts, because its answers may repeat them.

import { textOf } from '../../fidelity/json-parts.ts';
import { Redactor, readJson } from '../../journal/redaction.ts';
import { randomSecret } from '../../system/random.ts';
import { withoutSecrets } from '../client-output.ts';
import { nodeHashes } from '../platform.ts';

export class SecretRedactor extends Redactor {
  readonly #secrets = new Set<string>();

  constructor(password = '') {
    super(nodeHashes, randomSecret());
    this.add(password);
  }

  add(secret: string): void {
    // A recording has tags in the place of secrets.
    if (!secret.startsWith('[redacted ')) this.#secrets.add(secret);
  }

  /** Adds the secrets in the fields of a body. */
  addFrom(body: string | null | undefined): void {
    const { value } = readJson(body ?? '') ?? {};
    for (const name of ['access_token', 'refresh_token', 'password']) this.add(textOf(value, name) ?? '');
  }

  /** The text without the exact secrets. Tags stay. */
  hide(text: string): string {
    return withoutSecrets(text, this.#secrets);
  }

  override query(text: string): string {
    return this.hide(super.query(text));
  }

  /** Also of headers. */
  override text(text: string): string {
    return this.hide(super.text(text));
  }

  override body(text: string): string {
    const shown = super.body(text);
    // Without the escapes that may hide a secret.
    const json = readJson(shown);
    const plain = json ? JSON.stringify(json.value) : shown;
    const hidden = this.hide(plain);
    return hidden === plain ? this.hide(shown) : hidden;
  }
}
