// A certificate for `--tls self-signed`, signed by a CA that signs nothing else: its key is never written, and gone
// after the start.
import { generateKeyPair, type KeyObject, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import asn1 from 'node-forge/lib/asn1.js';
import sha256 from 'node-forge/lib/sha256.js';
import pki from 'node-forge/lib/x509.js';
import { machineTime } from '../system/time.ts';
import type { Tls } from './tls.ts';

/** RSA, because every client can verify it. */
const makeKeys = () => promisify(generateKeyPair)('rsa', { modulusLength: 2048 });

const dayMilliseconds = 86_400_000;
/** Apple's clients accept at most 825 days. */
const validDays = 365;

/**
 * Makes a certificate for these host names and addresses, IPv6 with or without brackets. It is valid for a year, from
 * yesterday on: the clock of a client may be behind.
 * @returns the pair, and the CA's certificate as PEM
 */
export async function selfSigned(hosts: readonly string[]): Promise<Tls & { readonly ca: string }> {
  const [caKeys, keys] = await Promise.all([makeKeys(), makeKeys()]);
  const caKey = pki.privateKeyFromAsn1(asn1.fromDer(der(caKeys.privateKey)));
  // A name of its own, so that a client can trust the CAs of several servers.
  const issuer = [{ name: 'commonName', value: `Sachet CA ${randomBytes(4).toString('hex')}` }];
  const ca = certificate(caKeys.publicKey, issuer, issuer, [
    { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    { name: 'subjectKeyIdentifier' },
  ]);
  ca.sign(caKey, sha256.create());
  const subject = [{ name: 'commonName', value: 'Sachet' }];
  const own = certificate(keys.publicKey, subject, issuer, [
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'subjectAltName', altNames: [...new Set(hosts)].map(altName) },
    { name: 'subjectKeyIdentifier' },
    // Python 3.13 and newer refuse a certificate without it.
    { name: 'authorityKeyIdentifier', keyIdentifier: ca.generateSubjectKeyIdentifier().getBytes() },
  ]);
  own.sign(caKey, sha256.create());
  return {
    cert: pki.certificateToPem(own),
    key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ca: pki.certificateToPem(ca),
  };
}

/** Not signed yet. */
function certificate(publicKey: KeyObject, subject: Attributes, issuer: Attributes, extensions: readonly object[]) {
  const made = pki.createCertificate();
  made.publicKey = pki.publicKeyFromPem(publicKey.export({ type: 'spki', format: 'pem' }).toString());
  // Its first digit makes it positive.
  made.serialNumber = `1${randomBytes(16).toString('hex').slice(1)}`;
  made.validity.notBefore = new Date(machineTime() - dayMilliseconds);
  made.validity.notAfter = new Date(machineTime() + validDays * dayMilliseconds);
  made.setSubject(subject);
  made.setIssuer(issuer);
  made.setExtensions([...extensions]);
  return made;
}

type Attributes = { name: string; value: string }[];

const der = (key: KeyObject): string => key.export({ type: 'pkcs1', format: 'der' }).toString('latin1');

/** 2 is a DNS name, 7 an address (RFC 5280, GeneralName). */
function altName(host: string) {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) ? { type: 7, ip: bare } : { type: 2, value: bare };
}
