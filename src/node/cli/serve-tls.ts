// The certificate of a server, from its flags.
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ownMachine } from '../../http/guards.ts';
import { UsageError } from '../../system/exit-errors.ts';
import { notify } from '../start-server.ts';
import type { Tls } from '../tls.ts';

/** The flags for HTTPS. Without them the server speaks HTTP. */
export interface TlsFlags {
  /** Makes a certificate. */
  readonly tls?: 'self-signed';
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly tlsCaOut?: string;
}

/** In the working directory. */
export const defaultCaFile = 'sachet-ca.pem';

/**
 * @param hosts that the server answers under, besides those of its own machine; a certificate that is made names them
 * @returns the certificate, and the CA if it was made; neither for HTTP
 * @throws UsageError for flags that do not fit together, and as `readTls`
 */
export async function readTlsFlags(
  { tls: made, tlsCert, tlsKey, tlsCaOut, publicUrl }: TlsFlags & { readonly publicUrl?: string | undefined },
  hosts: readonly string[],
): Promise<{ readonly tls?: Tls; readonly ca?: string }> {
  if (made === undefined && tlsCaOut !== undefined)
    throw new UsageError(
      `"${tlsCaOut}" (--tls-ca-out, SACHET_TLS_CA_OUT) is for the CA that --tls self-signed makes; pass both, or ` +
        'neither',
    );
  if (made !== undefined) {
    const file = tlsCert ?? tlsKey;
    if (file !== undefined)
      throw new UsageError(
        `use either --tls ${made} (SACHET_TLS) or your own certificate with --tls-cert and --tls-key, not both; ` +
          `"${file}" is yours`,
      );
    const { selfSigned } = await import('../self-signed.ts');
    const publicHost = publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
    const { ca, ...tls } = await selfSigned([...ownMachine, ...hosts, ...publicHost]);
    return { tls, ca };
  }
  if (tlsCert === undefined && tlsKey === undefined) return {};
  if (tlsKey === undefined)
    throw new UsageError(
      `the certificate "${tlsCert}" needs its private key; pass it with --tls-key or SACHET_TLS_KEY`,
    );
  if (tlsCert === undefined)
    throw new UsageError(`the key "${tlsKey}" needs its certificate; pass it with --tls-cert or SACHET_TLS_CERT`);
  return { tls: (await import('../tls.ts')).readTls(tlsCert, tlsKey, notify) };
}

/**
 * Writes the CA certificate, which is public. Call it when the server listens: a start that fails must not replace
 * the file of a running server.
 * @returns the absolute path
 * @throws UsageError
 */
export async function writeCa(ca: string, { tlsCaOut = defaultCaFile }: TlsFlags): Promise<string> {
  const file = resolve(tlsCaOut);
  try {
    await writeFile(file, ca);
    return file;
  } catch (error) {
    throw new UsageError(
      `cannot write the CA certificate to "${file}": ${(error as Error).message}; pass a file that this user can ` +
        'write with --tls-ca-out or SACHET_TLS_CA_OUT',
    );
  }
}
