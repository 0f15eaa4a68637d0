// The yardstick: a bare node:http server. POST echoes JSON; GET answers what the last PUT gave it, in the way that `x-serve` named.
import { createServer } from 'node:http';

const ways = {
  /** The very bytes. */
  bytes: (body) => () => body,
  /** The object, made into JSON at each request. */
  stringify: (body) => {
    const object = JSON.parse(body);
    return () => JSON.stringify(object);
  },
  /** Of a list, one object after the other, each made into JSON. */
  rotate: (body) => {
    const objects = JSON.parse(body);
    let turn = 0;
    return () => JSON.stringify(objects[turn++ % objects.length]);
  },
};
let contentOf = () => 'ok';
let type = 'text/plain';

const server = createServer((request, response) => {
  if (request.method === 'GET') return answer(response, type, contentOf());
  readBody(request, (body) => {
    if (request.method === 'POST') return answer(response, 'application/json', JSON.stringify(JSON.parse(body)));
    contentOf = ways[request.headers['x-serve']](body);
    type = request.headers['content-type'];
    answer(response, 'text/plain', 'ok');
  });
});

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })}\n`);
});
process.once('SIGTERM', () => process.exit(0));

function answer(response, contentType, body) {
  response.writeHead(200, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function readBody(request, done) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => done(Buffer.concat(chunks)));
}
