// The certificate of a server that speaks HTTPS, and its key: read from files, and checked.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { UsageError } from '../system/exit-errors.ts';
import { machineTime } from '../system/time.ts';

/**
 * A certificate and its private key, both as PEM. A chain begins with the server's own certificate. The key has no
 * passphrase.
 * @example const tls: TlsOptions = { cert: readFileSync('server.pem'), key: readFileSync('server-key.pem') };
 */
export interface TlsOptions {
  readonly cert: string | Uint8Array;
  readonly key: string | Uint8Array;
}

/** A checked pair, as text. */
export type Tls = Readonly<Record<keyof TlsOptions, string>>;

/**
 * Reads and checks the files of `--tls-cert` and `--tls-key`.
 * @throws UsageError as `checkedTls`, and for a file that cannot be read
 */
export function readTls(certFile: string, keyFile: string, notify: (line: string) => void): Tls {
  const names = { cert: `"${certFile}" (--tls-cert)`, key: `"${keyFile}" (--tls-key)` };
  return checkedTls({ cert: read(certFile, names.cert), key: read(keyFile, names.key) }, notify, names);
}

function read(file: string, name: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`cannot read ${name}: ${(error as Error).message}; pass the path of a PEM file`);
  }
}

/**
 * Returns the pair as text.
 * @param names what messages call the two
 * @param notify gets a sentence if the certificate is not valid now: some tests want exactly that
 * @throws UsageError if one is not PEM, the key is encrypted, the key belongs to another certificate, or Node refuses
 * them
 */
export function checkedTls(
  options: TlsOptions,
  notify: (line: string) => void,
  names: Readonly<Record<keyof TlsOptions, string>> = { cert: 'tls.cert', key: 'tls.key' },
): Tls {
  if (!options.cert || !options.key)
    throw new UsageError(
      `pass ${names.cert} and ${names.key}, both as PEM; to get a certificate made, use the command: sachet --tls ` +
        'self-signed',
    );
  const [cert, key] = [textOf(options.cert), textOf(options.key)];
  const certificate = parsedCertificate(cert, names.cert);
  if (!certificate.checkPrivateKey(parsedKey(key, names.key)))
    throw new UsageError(
      `the key ${names.key} does not belong to the certificate ${names.cert} (${certificate.subject}); pass the key ` +
        'that this certificate was made with; in a chain, the certificate of the server comes first',
    );
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new UsageError(`cannot use the certificate ${names.cert}: ${(error as Error).message}; pass another one`);
  }
  const { validFrom, validTo } = certificate;
  const now = machineTime();
  if (now > Date.parse(validTo)) notify(`the certificate ${names.cert} expired at ${validTo}; clients refuse it`);
  if (now < Date.parse(validFrom))
    notify(`the certificate ${names.cert} is not valid before ${validFrom}; clients refuse it`);
  return { cert, key };
}

/** Without the byte order mark that some editors write. Plain JavaScript may pass anything. */
const textOf = (pem: unknown): string =>
  (pem instanceof Uint8Array ? Buffer.from(pem).toString() : String(pem)).replace(/^\uFEFF/, '');

function parsedCertificate(cert: string, name: string): X509Certificate {
  try {
    return new X509Certificate(cert);
  } catch {
    throw new UsageError(`${name} is not a certificate in PEM form, which has the line "-----BEGIN CERTIFICATE-----"`);
  }
}

function parsedKey(key: string, name: string): KeyObject {
  if (/^(?:-----BEGIN ENCRYPTED|Proc-Type:.*ENCRYPTED)/m.test(key))
    throw new UsageError(
      `the key ${name} is encrypted; pass one without a passphrase: \`openssl pkey -in KEY -out PLAIN_KEY\` makes one`,
    );
  try {
    return createPrivateKey(key);
  } catch {
    throw new UsageError(`${name} is not a private key in PEM form, which has the line "-----BEGIN PRIVATE KEY-----"`);
  }
}
