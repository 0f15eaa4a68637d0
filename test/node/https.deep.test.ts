// HTTPS of the command: with a certificate of one's own, and with one that the start makes. No client turns verification off.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { describe, expect, test, vi } from 'vitest';
import { selfSigned } from '../../src/node/self-signed.ts';
import { sampleOrder } from '../../src/sample-order.ts';
import { version } from '../../src/version.ts';
import { certificateFiles } from '../support/certificates.ts';
import { folder, type Ready, type Running, root, run, sachet, serving } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';

type Environment = Readonly<Record<string, string>>;

const adminKey = 'my-own-key';

/** A server with a certificate that it made, and the file of its CA. */
async function selfSignedServer(flags: readonly string[] = []) {
  const caFile = join(folder(), 'ca.pem');
  const args = ['--tls', 'self-signed', '--tls-ca-out', caFile, '--admin-key', adminKey, ...flags];
  const { ready } = await serving(args);
  return { ready: ready as Ready & { readonly console_url: string; readonly ca_file: string }, caFile };
}

async function outputOf(command: Pick<Running, 'ended' | 'stdout' | 'stderr'>) {
  const code = await command.ended();
  return { code, stdout: command.stdout, stderr: command.stderr };
}

const nodeClient = (ready: Ready, env: Environment) => {
  const argument = JSON.stringify({ ...ready, order: sampleOrder() });
  return outputOf(run(process.execPath, [join(root, 'test/support/https-client.mjs'), argument], env));
};

describe('a certificate that the start makes', () => {
  test('is trusted by Node with its CA: login, order and label; without it, Node refuses', async () => {
    const { ready, caFile } = await selfSignedServer();
    expect(ready.url).toMatch(/^https:\/\/localhost:\d+$/);
    expect(ready.console_url).toMatch(/^https:/);
    expect(ready.ca_file).toBe(caFile);
    const { stdout, stderr } = await nodeClient(ready, { NODE_EXTRA_CA_CERTS: caFile });
    expect(JSON.parse(stdout || '{}'), stderr).toEqual({
      statuses: [200, 201, 200],
      labelUrl: expect.stringMatching(`^${ready.url}/`),
      form: '%PDF-',
    });
    expect((await nodeClient(ready, {})).stderr).toMatch(/SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE/);
  });

  test('is trusted by curl: the commands of the banner work', async ({ skip }) => {
    if ((await run('sh', ['-c', 'command -v curl']).ended()) !== 0) skip('curl is missing');
    const caFile = join(folder(), "a client's ca.pem");
    const server = sachet(['--port', '0', '--tls', 'self-signed', '--tls-ca-out', caFile]);
    await server.until('whole banner', ({ stdout }) => stdout.includes('Turn the rate limit off again:'));
    expect(server.stdout).toContain(`CA file    ${caFile} (clients must trust it)\n`);
    const [, commands = ''] = /Create an order:\n\n([\s\S]*?)\n\n/.exec(server.stdout) ?? [];
    const [, url = ''] = /ready at (\S+) /.exec(server.stdout) ?? [];
    const label =
      `curl -s --cacert "$CA" ${url}/v2/fulfillments -H "Authorization: Bearer $TOKEN" | ` +
      `sed 's/.*"label_url":"\\([^"]*\\)".*/\\1/' | xargs curl -s --cacert "$CA" | head -c 5`;
    const shell = await outputOf(run('sh', [], { no_proxy: '*', CA: caFile }, `${commands}\necho\n${label}\n`));
    const [order = '', form] = shell.stdout.split('\n');
    expect(JSON.parse(order).order.status).toBe('Pending');
    expect(form).toBe('%PDF-');
  });

  test('names every host that the server answers under', async () => {
    const flags = ['--allowed-hosts', 'sachet,10.1.2.3,[2001:db8::1]', '--public-url', 'https://demo.example/below'];
    const { ready, caFile } = await selfSignedServer([...flags, '--host', '127.0.0.2']);
    const certificate = await certificateAt(Number(new URL(ready.url).port), '127.0.0.2', caFile);
    for (const host of ['localhost', 'host.docker.internal', 'sachet', 'demo.example'])
      expect(certificate.checkHost(host), host).toBe(host);
    for (const address of ['127.0.0.1', '::1', '127.0.0.2', '10.1.2.3', '2001:db8::1'])
      expect(certificate.checkIP(address), address).toBe(address);
    expect(certificate.checkHost('other.example')).toBeUndefined();
  });

  test('passes the strict checks of OpenSSL, which Python uses', async ({ skip }) => {
    if ((await run('sh', ['-c', 'command -v openssl']).ended()) !== 0) skip('openssl is missing');
    const { cert, ca } = await certificateFiles();
    const flags = ['-x509_strict', '-purpose', 'sslserver', '-verify_hostname', 'localhost', '-CAfile', ca, cert];
    expect(await outputOf(run('openssl', ['verify', ...flags]))).toMatchObject({ code: 0, stdout: `${cert}: OK\n` });
  });

  test('is another at each start, and a start that fails leaves the file of the CA alone', async () => {
    const { ready, caFile } = await selfSignedServer();
    const ca = readFileSync(caFile, 'utf8');
    const { port } = new URL(ready.url);
    const args = ['--port', port, '--tls', 'self-signed', '--tls-ca-out', caFile];
    expect((await outputOf(sachet(args))).code).toBe(2);
    expect(readFileSync(caFile, 'utf8')).toBe(ca);
    await serving(['--tls', 'self-signed', '--tls-ca-out', caFile]);
    expect(readFileSync(caFile, 'utf8')).not.toBe(ca);
  });

  test('has its CA in sachet-ca.pem of the working directory, without a private key', async () => {
    const dir = folder();
    const start = 'cd "$0" && exec "$1" "$2" --port 0 --json --tls self-signed';
    const server = run('sh', ['-c', start, dir, process.execPath, join(root, 'dist/cli.js')]);
    await server.until('ready record', ({ stdout }) => stdout.includes('\n'));
    expect(JSON.parse(server.stdout).ca_file).toBe(join(dir, 'sachet-ca.pem'));
    const pem = readFileSync(join(dir, 'sachet-ca.pem'), 'utf8');
    expect(pem.match(/-----BEGIN [A-Z ]+-----/g)).toEqual(['-----BEGIN CERTIFICATE-----']);
    expect(new X509Certificate(pem).ca).toBe(true);
  });
});

/** The certificate that a server shows, verified. */
async function certificateAt(port: number, host: string, caFile: string): Promise<X509Certificate> {
  const socket = connect({ port, host, ca: readFileSync(caFile) });
  await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
  const certificate = socket.getPeerX509Certificate();
  socket.destroy();
  if (!certificate) throw new Error('the server shows no certificate');
  return certificate;
}

test('a certificate of one’s own is shown, by flags or variables', async () => {
  const { cert, key, ca } = await certificateFiles();
  const starts = [
    serving(['--tls-cert', cert, '--tls-key', key]),
    serving([], { SACHET_TLS_CERT: cert, SACHET_TLS_KEY: key }),
  ];
  for (const { ready } of await Promise.all(starts)) {
    expect(Object.keys(ready)).not.toContain('ca_file');
    const { stdout, stderr } = await nodeClient(ready, { NODE_EXTRA_CA_CERTS: ca });
    expect(JSON.parse(stdout || '{}').statuses, stderr).toEqual([200, 201, 200]);
  }
});

test('healthcheck speaks HTTPS, by the flags or variables of the server', async () => {
  const { cert, key } = await certificateFiles();
  const { port } = new URL((await serving(['--tls-cert', cert, '--tls-key', key])).ready.url);
  const stdout = `https://127.0.0.1:${port}/health answered 200: {"status":"ok","version":"${version}"}\n`;
  const healthy = { code: 0, stdout, stderr: '' };
  const check = (flags: readonly string[], env: Environment = {}) =>
    outputOf(sachetHere(['healthcheck', '--port', port, ...flags], env));
  expect(await check(['--tls', 'self-signed'])).toEqual(healthy);
  expect(await check([], { SACHET_TLS_CERT: cert })).toEqual(healthy);
  const plain = await check([]);
  expect([plain.code, plain.stderr]).toEqual([1, expect.stringMatching(/^sachet: /)]);
});

test('files with a byte order mark are read', async () => {
  const { dir, cert, key } = await certificateFiles();
  const marked = (file: string) => {
    const copy = join(dir, 'marked.pem');
    writeFileSync(copy, `\uFEFF${readFileSync(file, 'utf8')}`);
    return copy;
  };
  const { ready } = await serving(['--tls-cert', marked(cert), '--tls-key', key]);
  expect(ready.url).toMatch(/^https:/);
});

test('the commands for a running server need its CA, and say so', async () => {
  const { ready, caFile } = await selfSignedServer();
  const report = (env: Environment) =>
    outputOf(sachet(['report', '--url', ready.url, '--admin-key', adminKey, '--json'], env));
  const { code, stderr } = await report({});
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^sachet: the certificate of https:\S+ is not trusted \([A-Z_]+\); set the variable NODE_EXTRA_CA_CERTS to/,
  );
  const trusting = await report({ NODE_EXTRA_CA_CERTS: caFile });
  expect([trusting.code, JSON.parse(trusting.stdout || '{}').rules], trusting.stderr).toEqual([0, expect.any(Array)]);
});

describe('a usage error', () => {
  /** Starts with flags in which `dir/` is the folder of the files. */
  async function refusal(flags: string): Promise<string> {
    const { dir } = await certificateFiles();
    const other = await selfSigned(['localhost']);
    writeFileSync(join(dir, 'other-key.pem'), other.key);
    writeFileSync(join(dir, 'text.pem'), 'no PEM');
    writeFileSync(join(dir, 'encrypted.pem'), encrypted(other.key));
    const args = flags.split(' ').map((word) => word.replace('dir/', `${dir}/`));
    const { code, stdout, stderr } = await outputOf(sachetHere(['--port', '0', ...args]));
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(/^sachet: [^\n]+\n$/)]);
    return stderr.replaceAll(`${dir}/`, 'dir/');
  }

  test.each([
    ['--tls-cert dir/server.pem', 'the certificate "dir/server.pem" needs its private key; pass it with --tls-key'],
    ['--tls-key dir/server-key.pem', 'the key "dir/server-key.pem" needs its certificate; pass it with --tls-cert'],
    ['--tls-cert dir/none.pem --tls-key dir/server-key.pem', 'cannot read "dir/none.pem" (--tls-cert): ENOENT'],
    ['--tls-cert dir/server.pem --tls-key dir/none.pem', 'cannot read "dir/none.pem" (--tls-key): ENOENT'],
    ['--tls-cert dir/text.pem --tls-key dir/server-key.pem', '"dir/text.pem" (--tls-cert) is not a certificate in PEM'],
    ['--tls-cert dir/server.pem --tls-key dir/text.pem', '"dir/text.pem" (--tls-key) is not a private key in PEM'],
    ['--tls-cert dir/server.pem --tls-key dir/other-key.pem', 'does not belong to the certificate "dir/server.pem"'],
    ['--tls-cert dir/server.pem --tls-key dir/encrypted.pem', 'the key "dir/encrypted.pem" (--tls-key) is encrypted'],
    ['--tls self-signed --tls-cert dir/server.pem', 'use either --tls self-signed (SACHET_TLS) or your own'],
    ['--tls-ca-out dir/ca.pem', '"dir/ca.pem" (--tls-ca-out, SACHET_TLS_CA_OUT) is for the CA that --tls self-signed'],
    ['--tls yes', "option '--tls <how>' argument 'yes' is invalid. Allowed choices are self-signed."],
  ])('%s', async (flags, words) => {
    expect(await refusal(flags)).toContain(words);
  });
});

test('a CA file that cannot be written is a usage error, and ends the server', async () => {
  const { code, stdout, stderr } = await outputOf(
    sachet(['--port', '0', '--tls', 'self-signed', '--tls-ca-out', '/none/ca.pem']),
  );
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^sachet: cannot write the CA certificate to "\/none\/ca\.pem": ENOENT[^\n]+--tls-ca-out or/);
});

/** The same key with a passphrase. */
const encrypted = (pem: string): string =>
  createPrivateKey(pem).export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }).toString();

test('an expired certificate is used, with a warning', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2020-01-01') });
  const { cert, key } = await selfSigned(['localhost']).finally(() => vi.useRealTimers());
  const dir = folder({ 'old.pem': cert, 'old-key.pem': key });
  const server = await serving(['--tls-cert', join(dir, 'old.pem'), '--tls-key', join(dir, 'old-key.pem')]);
  expect(server.ready.url).toMatch(/^https:/);
  expect(server.stderr).toMatch(/^the certificate "\S+old\.pem" \(--tls-cert\) expired at Dec 31 .* 2020 GMT; clients/);
});

test('the library serves HTTPS, too', async () => {
  const { dir, ca } = await certificateFiles();
  const script = `
    import { readFileSync } from 'node:fs';
    import { serve } from '${join(root, 'dist/node.js')}';
    const tls = { cert: readFileSync('${dir}/server.pem'), key: readFileSync('${dir}/server-key.pem', 'utf8') };
    const server = await serve({ tls });
    const sandbox = await server.createSandbox();
    const statuses = [(await sandbox.client().get('/v2/products')).status];
    const wrong = await serve({ tls: { ...tls, key: 'x' } }).catch(({ message }) => message);
    const flag = await serve({ tls: 'self-signed' }).catch(({ message }) => message);
    console.log(JSON.stringify({ url: sandbox.baseUrl, statuses, wrong, flag }));
    await server.close();
  `;
  const path = join(folder({ 'serve.mjs': script }), 'serve.mjs');
  const { stdout, stderr } = await outputOf(run(process.execPath, [path], { NODE_EXTRA_CA_CERTS: ca }));
  expect(JSON.parse(stdout || '{}'), stderr).toEqual({
    url: expect.stringMatching(/^https:\/\/localhost:\d+\/sandboxes\//),
    statuses: [200],
    wrong: expect.stringMatching(/^tls\.key is not a private key in PEM form/),
    flag: 'pass tls.cert and tls.key, both as PEM; to get a certificate made, use the command: sachet --tls self-signed',
  });
});
