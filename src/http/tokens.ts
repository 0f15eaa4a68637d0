// Tokens as JWTs, HS256 only, with the sandbox's own key. Verified ones are kept in a bounded cache; expiry is never cached.
import { CompactSign, compactVerify, decodeJwt } from 'jose';
import { LRUCache } from 'lru-cache';
import { utf8 } from '../domain/hashes.ts';
import type { Claims } from '../domain/tokens.ts';
import type { Identity } from '../domain/world.ts';

const maxVerified = 1000;
const maxKeys = 1000;
const algorithm = 'HS256';

/**
 * A compact JWS as this server writes it. Decoders forgive padding, blanks and the spare bits of the last digit: a token changed that
 * way would still be good, and every such form would take a place in the cache.
 */
const canonical = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;

interface Verified {
  readonly identity: Identity;
  readonly claims: Claims;
}

/** It never rejects. */
interface Verifying {
  readonly identity: Identity;
  readonly claims: Promise<Claims | undefined>;
}

/** The token of `Authorization: Bearer <token>`; the scheme in any case. */
export function bearerToken({ headers }: Pick<Request, 'headers'>): string | undefined {
  const header = headers.get('authorization');
  return header === null ? undefined : /^bearer +([^ ]+) *$/i.exec(header)?.[1];
}

export class Tokens {
  /** Of the sandboxes that were asked for last: a key takes more memory than it takes time to make. */
  readonly #keys = new LRUCache<Identity, Promise<CryptoKey>>({ max: maxKeys });
  readonly #verified = new LRUCache<string, Verified>({ max: maxVerified });
  /** By token: whoever comes with it meanwhile waits for the same, so that calls that come with a new token to one base URL go on in their order. */
  readonly #inFlight = new Map<string, Verifying>();

  async sign(identity: Identity, claims: Claims): Promise<string> {
    const payload = utf8(JSON.stringify(claims));
    return new CompactSign(payload).setProtectedHeader({ alg: algorithm, typ: 'JWT' }).sign(await this.#key(identity));
  }

  /** The claims, if this sandbox signed them; whether they have expired is the domain's to say. */
  async verify(identity: Identity, token: string): Promise<Claims | undefined> {
    const kept = this.#verified.get(token);
    if (kept?.identity === identity) return kept.claims;
    const inFlight = this.#inFlight.get(token);
    if (inFlight?.identity === identity) return inFlight.claims;
    return canonical.test(token) ? this.#begin(identity, token) : undefined;
  }

  /** The sandbox that a token names, unverified: a hint where to look for the key. */
  namedSandbox(token: string): string | undefined {
    const kept = this.#verified.get(token);
    if (kept) return kept.claims.sandbox;
    try {
      const { sandbox } = decodeJwt(token);
      return typeof sandbox === 'string' ? sandbox : undefined;
    } catch {
      return undefined;
    }
  }

  #begin(identity: Identity, token: string): Promise<Claims | undefined> {
    const claims = this.#verify(identity, token);
    const inFlight = { identity, claims };
    this.#inFlight.set(token, inFlight);
    void claims.then(() => this.#inFlight.get(token) === inFlight && this.#inFlight.delete(token));
    return claims;
  }

  async #verify(identity: Identity, token: string): Promise<Claims | undefined> {
    try {
      const { payload } = await compactVerify(token, await this.#key(identity), { algorithms: [algorithm] });
      const claims = JSON.parse(new TextDecoder().decode(payload)) as Claims;
      this.#verified.set(token, { identity, claims });
      return claims;
    } catch {
      return undefined;
    }
  }

  #key(identity: Identity): Promise<CryptoKey> {
    const use = { name: 'HMAC', hash: 'SHA-256' };
    const kept = this.#keys.get(identity);
    if (kept) return kept;
    const bytes = utf8(identity.signingKey) as BufferSource;
    const key = crypto.subtle.importKey('raw', bytes, use, false, ['sign', 'verify']);
    this.#keys.set(identity, key);
    return key;
  }
}
