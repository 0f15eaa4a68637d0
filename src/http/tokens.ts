// Tokens: JWTs, signed by HS256 with the sandbox's key. Verified tokens are cached; their expiry is judged at each use.
import { CompactSign, compactVerify, decodeJwt } from 'jose';
import { LRUCache } from 'lru-cache';
import { sandboxName } from '../contract/addresses.ts';
import { utf8 } from '../domain/hashes.ts';
import type { Claims } from '../domain/tokens.ts';
import type { Identity } from '../domain/world.ts';

const maxCached = 1000;
const maxKeys = 1000;
const algorithm = 'HS256';

/**
 * The only form of a compact JWS that is accepted. Decoders ignore padding, blanks and the spare bits of the last
 * digit: tokens changed that way would be valid, and each form would take a place in the cache.
 */
const canonical = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;

interface CachedToken {
  readonly identity: Identity;
  /** Undefined if the sandbox did not sign it; never rejects. */
  readonly claims: Promise<Claims | undefined>;
  /** The sandbox that it names. */
  readonly sandbox: string | undefined;
}

/** The token of `Authorization: Bearer <token>`; the scheme in any case. */
export function bearerToken({ headers }: Pick<Request, 'headers'>): string | undefined {
  const header = headers.get('authorization');
  return header === null ? undefined : /^bearer +([^ ]+) *$/i.exec(header)?.[1];
}

/** Why a request has no bearer token. */
export function missingTokenProblem({ headers }: Pick<Request, 'headers'>): string {
  const header = headers.get('authorization');
  if (header === null) return 'the header Authorization is missing';
  if (/^bearer *$/i.test(header)) return 'the header Authorization has no token after "Bearer"';
  return 'the header Authorization is malformed; it must be "Bearer <ACCESS_TOKEN>"';
}

/** The problem of a token that the sandbox did not sign, and whether it names another sandbox. */
export interface UnverifiedToken {
  readonly problem: string;
  readonly isFromElsewhere: boolean;
}

export class Tokens {
  /** Bounded, because a key takes more memory than importing it takes time. */
  readonly #keys = new LRUCache<Identity, Promise<CryptoKey>>({ max: maxKeys });
  /** By token: valid ones, and those being verified. Calls with the same new token share one verification. */
  readonly #cache = new LRUCache<string, CachedToken>({ max: maxCached });

  async sign(identity: Identity, claims: Claims): Promise<string> {
    // jose accepts bytes of this realm only. Under jsdom the global TextEncoder makes those of jsdom's realm.
    const payload = new Uint8Array(utf8(JSON.stringify(claims)));
    return new CompactSign(payload).setProtectedHeader({ alg: algorithm, typ: 'JWT' }).sign(await this.#key(identity));
  }

  /** The claims, if this sandbox signed them; undefined otherwise. Ignores their expiry. */
  async verify(identity: Identity, token: string): Promise<Claims | undefined> {
    const known = this.#cache.get(token);
    if (known?.identity === identity) return known.claims;
    if (!canonical.test(token)) return undefined;
    const started = { identity, claims: this.#verify(identity, token), sandbox: this.sandboxNameOf(token) };
    this.#cache.set(token, started);
    const claims = await started.claims;
    if (!claims && this.#cache.peek(token) === started) this.#cache.delete(token);
    return claims;
  }

  /** The sandbox that a token names, not verified: a hint where to find the key. */
  sandboxNameOf(token: string): string | undefined {
    const known = this.#cache.get(token);
    if (known) return known.sandbox;
    try {
      const { sandbox } = decodeJwt(token);
      return typeof sandbox === 'string' ? sandbox : undefined;
    } catch {
      return undefined;
    }
  }

  /** Names a sandbox only as the token does, because no key has verified it. */
  unverified({ name }: Identity, token: string): UnverifiedToken {
    const named = this.sandboxNameOf(token);
    const isFromElsewhere = named !== undefined && named !== name;
    let problem = 'the signature of the token is wrong: it was changed, or is from an earlier sandbox of this name';
    if (named === undefined) problem = 'the token is malformed: it is not a JSON Web Token of a sandbox';
    else if (isFromElsewhere)
      problem = `the token names ${sandboxName.test(named) ? `the sandbox "${named}"` : 'another sandbox'}, but the call is for "${name}"`;
    return { problem, isFromElsewhere };
  }

  async #verify(identity: Identity, token: string): Promise<Claims | undefined> {
    try {
      const { payload } = await compactVerify(token, await this.#key(identity), { algorithms: [algorithm] });
      return JSON.parse(new TextDecoder().decode(payload)) as Claims;
    } catch {
      return undefined;
    }
  }

  #key(identity: Identity): Promise<CryptoKey> {
    const use = { name: 'HMAC', hash: 'SHA-256' };
    const cached = this.#keys.get(identity);
    if (cached) return cached;
    const bytes = utf8(identity.signingKey) as BufferSource;
    const key = crypto.subtle.importKey('raw', bytes, use, false, ['sign', 'verify']);
    this.#keys.set(identity, key);
    return key;
  }
}
