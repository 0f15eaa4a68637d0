// HTTPS with a certificate that the start creates, or with one's own. No client turns verification off.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { selfSigned } from '../../src/node/self-signed.ts';
import { serve } from '../../src/node/serve.ts';
import { sampleOrder } from '../../src/sample-order.ts';
import { version } from '../../src/version.ts';
import { served } from '../library/starts.ts';
import { built, folder, type Login, type Ready, readyOf, resultOf, run, sachet, serving } from '../support/command.ts';
import { errorHere, resultHere } from '../support/command-here.ts';

/** Logs in, places an order, and downloads a label, with fetch in a new process. */
function useByNode({ url, username, password }: Login, env = {}) {
  const script = `
    const [url, login, order] = ${JSON.stringify([url, { username, password }, sampleOrder()])};
    const post = (path, body, headers) =>
      fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });
    const token = await post('/v2/authentication/token', login);
    const authorization = 'Bearer ' + (await token.json()).access_token;
    const placed = await post('/v2/orders', order, { authorization });
    const list = await (await fetch(url + '/v2/fulfillments?limit=100', { headers: { authorization } })).json();
    const label = await fetch(list.fulfillments[0].label_url);
    console.log(JSON.stringify([token.status, placed.status, label.status, label.url.startsWith(url)]));`;
  return resultOf(run(process.execPath, ['--input-type=module', '-e', script], env));
}
const used = { code: 0, stdout: '[200,201,200,true]\n' };

let pair: Awaited<ReturnType<typeof selfSigned>>;
let otherKey: string;
beforeAll(async () => {
  pair = await selfSigned(['localhost', '127.0.0.1', '::1']);
  otherKey = (await selfSigned(['localhost'])).key;
});

/** A folder with a certificate, its key and its CA. */
function certificateFiles() {
  const dir = folder({ 'server.pem': pair.cert, 'server-key.pem': pair.key, 'ca.pem': pair.ca });
  return { dir, cert: join(dir, 'server.pem'), key: join(dir, 'server-key.pem'), ca: join(dir, 'ca.pem') };
}

describe('a certificate that the start creates', () => {
  test('works for Node, `sachet report` and the curl of the banner with its CA; it names every host', async () => {
    const dir = folder();
    const hosts = ['--allowed-hosts', 'sachet,10.1.2.3,[2001:db8::1]', '--public-url', 'https://demo.example/below'];
    const flags = ['--tls', 'self-signed', '--admin-key', 'my-own-key', '--host', '0.0.0.0'];
    // The CA goes into the working directory.
    const start = 'cd "$0" && exec "$@" --port 0 --json';
    const command = run('sh', ['-c', start, dir, process.execPath, built(), ...flags]);
    const ready = (await readyOf(command)) as Ready & { console_url: string; ca_file: string };
    const caFile = join(dir, 'sachet-ca.pem');
    expect([ready.ca_file, ready.console_url]).toEqual([caFile, expect.stringMatching(/^https:/)]);
    expect(ready.url).toMatch(/^https:\/\/localhost:\d+$/);
    const pem = readFileSync(caFile, 'utf8');
    expect(pem.match(/-----BEGIN [A-Z ]+-----/g)).toEqual(['-----BEGIN CERTIFICATE-----']);
    expect(new X509Certificate(pem).ca).toBe(true);
    const trusting = { NODE_EXTRA_CA_CERTS: caFile };
    expect(await useByNode(ready, trusting)).toMatchObject(used);
    expect((await useByNode(ready)).stderr).toMatch(/SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE/);

    const report = (env = {}) =>
      resultOf(sachet(['report', '--url', ready.url, '--admin-key', 'my-own-key', '--json'], env));
    const untrusted =
      /^sachet: the certificate of https:\S+ is not trusted \([A-Z_]+\); set the variable NODE_EXTRA_CA_CERTS to/;
    expect(await report()).toMatchObject({ code: 1, stderr: expect.stringMatching(untrusted) });
    expect(await report(trusting)).toMatchObject({ code: 0, stdout: expect.stringContaining('"rules"') });

    // A start that fails leaves the file alone, the next start replaces it.
    const files = ['--tls', 'self-signed', '--tls-ca-out', caFile];
    expect((await resultHere(['--port', new URL(ready.url).port, ...files])).code).toBe(2);
    expect(readFileSync(caFile, 'utf8')).toBe(pem);
    const next = sachet(['--port', '0', ...files, ...hosts, '--host', '127.0.0.2']);
    await next.until('whole banner', ({ stdout }) => /Turn the rate limit off again:\n\n.*\n/.test(stdout));
    expect(next.stdout.match(/curl .*?(?= 'https:| -X)/g)).toEqual(Array(4).fill(`curl -s --cacert '${caFile}'`));
    expect(readFileSync(caFile, 'utf8')).not.toBe(pem);
    const port = Number(/ready at https:\S+:(\d+)/.exec(next.stdout)?.[1]);
    const socket = connect({ port, host: '127.0.0.2', ca: readFileSync(caFile), servername: 'localhost' });
    await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
    const certificate = socket.getPeerX509Certificate();
    socket.destroy();
    for (const host of ['localhost', 'host.docker.internal', 'sachet', 'demo.example'])
      expect(certificate?.checkHost(host), host).toBe(host);
    for (const address of ['127.0.0.1', '::1', '127.0.0.2', '10.1.2.3', '2001:db8::1'])
      expect(certificate?.checkIP(address), address).toBe(address);
    expect(certificate?.checkHost('other.example')).toBeUndefined();
  });

  test('passes the strict checks of OpenSSL, which Python uses', async ({ skip }) => {
    if ((await run('sh', ['-c', 'command -v openssl']).ended()) !== 0) skip('openssl is missing');
    const { cert, ca } = certificateFiles();
    const flags = ['-x509_strict', '-purpose', 'sslserver', '-verify_hostname', 'localhost', '-CAfile', ca, cert];
    expect(await resultOf(run('openssl', ['verify', ...flags]))).toMatchObject({ code: 0, stdout: `${cert}: OK\n` });
  });
});

test('a certificate of one’s own works by flags or variables, with a byte order mark, and for the health check', async () => {
  const { dir, cert, key, ca } = certificateFiles();
  const marked = join(dir, 'marked.pem');
  writeFileSync(marked, `\uFEFF${pair.cert}`);
  const { ready } = await serving(['--tls-cert', marked, '--tls-key', key]);
  expect(Object.keys(ready)).not.toContain('ca_file');
  expect(await useByNode(ready, { NODE_EXTRA_CA_CERTS: ca })).toMatchObject(used);
  const byVariables = await serving([], { SACHET_TLS_CERT: cert, SACHET_TLS_KEY: key });
  const { port } = new URL(byVariables.ready.url);
  const stdout = `https://127.0.0.1:${port}/health answered 200: {"status":"ok","version":"${version}"}\n`;
  const check = ['healthcheck', '--port', port];
  expect(await resultHere([...check, '--tls', 'self-signed'])).toEqual({ code: 0, stdout, stderr: '' });
  expect(await resultHere(check, { SACHET_TLS_CERT: cert })).toEqual({ code: 0, stdout, stderr: '' });
  await errorHere(check, {}, 1);
});

test('an expired certificate is used with a warning', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2020-01-01') });
  const { cert, key } = await selfSigned(['localhost']).finally(() => vi.useRealTimers());
  const dir = folder({ 'old.pem': cert, 'old-key.pem': key });
  const server = await serving(['--tls-cert', join(dir, 'old.pem'), '--tls-key', join(dir, 'old-key.pem')]);
  expect(server.ready.url).toMatch(/^https:/);
  expect(server.stderr).toMatch(/^the certificate "\S+old\.pem" \(--tls-cert\) expired at Dec 31 .* 2020 GMT; clients/);
});

test.each([
  ['--tls-cert dir/server.pem', 'the certificate "dir/server.pem" needs its private key; pass it with --tls-key'],
  ['--tls-cert dir/none.pem --tls-key dir/server-key.pem', 'cannot read "dir/none.pem" (--tls-cert): ENOENT'],
  ['--tls-cert dir/text.pem --tls-key dir/server-key.pem', '"dir/text.pem" (--tls-cert) is not a certificate in PEM'],
  ['--tls-cert dir/server.pem --tls-key dir/other-key.pem', 'does not belong to the certificate "dir/server.pem"'],
  ['--tls-cert dir/server.pem --tls-key dir/encrypted.pem', 'the key "dir/encrypted.pem" (--tls-key) is encrypted'],
  ['--tls self-signed --tls-cert dir/server.pem', 'use either --tls self-signed (SACHET_TLS) or your own'],
  ['--tls self-signed --tls-ca-out /none/ca.pem', 'cannot write the CA certificate to "/none/ca.pem": ENOENT'],
])('%s is a usage error', async (flags, message) => {
  const { dir } = certificateFiles();
  const options = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' } as const;
  writeFileSync(join(dir, 'other-key.pem'), otherKey);
  writeFileSync(join(dir, 'text.pem'), 'no PEM');
  writeFileSync(join(dir, 'encrypted.pem'), createPrivateKey(otherKey).export(options));
  const args = flags.split(' ').map((word) => word.replace('dir/', `${dir}/`));
  expect((await errorHere(['--port', '0', ...args])).replaceAll(`${dir}/`, 'dir/')).toContain(message);
});

test('a server whose CA certificate cannot be written ends', async () => {
  expect(await sachet(['--port', '0', '--tls', 'self-signed', '--tls-ca-out', '/none/ca.pem']).ended()).toBe(2);
});

test('`serve` of the library takes a certificate', async () => {
  const { ca } = certificateFiles();
  const { cert, key } = pair;
  const { baseUrl } = await served({ tls: { cert: Buffer.from(cert), key } });
  expect(baseUrl).toMatch(/^https:\/\/localhost:\d+$/);
  const login = { username: 'demo', password: 'sachet-demo' };
  expect(await useByNode({ url: baseUrl, ...login }, { NODE_EXTRA_CA_CERTS: ca })).toMatchObject(used);
  const wrong = serve({ tls: { cert, key: 'x' } });
  await expect(wrong).rejects.toThrow(/^tls\.key is not a private key in PEM form/);
  const message =
    'pass tls.cert and tls.key, both as PEM; to get a certificate made, use the command: sachet --tls self-signed';
  await expect(serve({ tls: 'self-signed' as never })).rejects.toThrow(message);
});
