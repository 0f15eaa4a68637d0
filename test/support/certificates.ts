// Certificates for tests, in files: one that names localhost, and its CA.
import { join } from 'node:path';
import { selfSigned } from '../../src/node/self-signed.ts';
import { folder } from './command.ts';

const pair = selfSigned(['localhost', '127.0.0.1', '::1']);

/** The paths of the certificate, its key and its CA in a folder that is removed when the test is over. */
export async function certificateFiles() {
  const { cert, key, ca } = await pair;
  const dir = folder({ 'server.pem': cert, 'server-key.pem': key, 'ca.pem': ca });
  return { dir, cert: join(dir, 'server.pem'), key: join(dir, 'server-key.pem'), ca: join(dir, 'ca.pem') };
}
