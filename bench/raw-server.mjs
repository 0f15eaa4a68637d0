// The yardstick: a bare node:http server that echoes JSON on POST and answers GET with the bytes that a PUT gave it.
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
let fixed = { type: 'text/plain', body: 'ok' };

const server = createServer((request, response) => {
  if (request.method === 'GET') return answer(response, fixed.type, fixed.body);
  readText(request, (text) => {
    if (request.method === 'POST') return answer(response, 'application/json', JSON.stringify(JSON.parse(text)));
    fixed = { type: request.headers['content-type'], body: Buffer.from(text) };
    answer(response, 'text/plain', 'ok');
  });
});

server.listen(Number(values.port), '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })}\n`);
});
process.once('SIGTERM', () => process.exit(0));

function answer(response, type, body) {
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function readText(request, done) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => done(Buffer.concat(chunks).toString('utf8')));
}
