// Makes one plain HTTP call outside the measured load (login, catalog, trial orders, health); not 2xx is an error.
import { request } from 'node:http';

export async function call(url, options = {}) {
  const answer = await exchange(url, options);
  if (answer.status < 200 || answer.status > 299)
    throw new UnexpectedStatus(`${options.method ?? 'GET'} ${url}`, answer);
  return answer;
}

export class UnexpectedStatus extends Error {
  constructor(what, { status, body }) {
    super(`${what} answered ${status}: ${body}`);
    this.name = 'UnexpectedStatus';
    this.status = status;
  }
}

export function jsonHeaders(token) {
  return { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
}

// `agent: false` leaves no idle connection behind that a server would wait for when it is ended.
function exchange(url, { method = 'GET', headers = {}, body = '' }) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent: false, headers: withLength(headers, body) }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const type = response.headers['content-type'];
        resolve({ status: response.statusCode, type, body: Buffer.concat(chunks).toString('utf8') });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function withLength(headers, body) {
  return body === '' ? headers : { ...headers, 'content-length': Buffer.byteLength(body) };
}
