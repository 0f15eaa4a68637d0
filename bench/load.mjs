// Drives one server with one request over keep-alive connections, one request each at a time, and gives its rate.
import { performance } from 'node:perf_hooks';
import { Connection } from './connection.mjs';

export const connectionCount = 50;
const graceMilliseconds = 5_000;

export function requestBytes(url, { method = 'GET', path, headers = {}, body = '' }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = body === '' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\n${lines.join('')}${length}\r\n${body}`,
  );
}

// `busy` is the share of the round in which the generator was at work: near 1, it may be the bottleneck.
export async function measureRate(url, request, seconds) {
  const address = new URL(url);
  const connections = await Promise.all(Array.from({ length: connectionCount }, () => Connection.open(address)));
  const before = performance.eventLoopUtilization();
  const began = performance.now();
  try {
    const answers = await drive(connections, request, seconds * 1000);
    const perSecond = (answers * 1000) / (performance.now() - began);
    return { perSecond, busy: performance.eventLoopUtilization(before).utilization };
  } finally {
    for (const connection of connections) connection.close();
  }
}

// After the time is up the answers under way are still awaited, so every request sent is counted.
async function drive(connections, request, milliseconds) {
  const round = { answers: 0, sending: true };
  const timers = [setTimeout(() => Object.assign(round, { sending: false }), milliseconds)];
  const stalled = new Promise((_, reject) => {
    timers.push(setTimeout(() => reject(new Error('a request got no answer')), milliseconds + graceMilliseconds));
  });
  const work = Promise.all(connections.map((connection) => keepSending(connection, request, round)));
  await Promise.race([work, stalled]).finally(() => timers.forEach(clearTimeout));
  return round.answers;
}

function keepSending(connection, request, round) {
  return new Promise((resolve, reject) => {
    connection.onFailure = reject;
    connection.onAnswer = () => {
      round.answers += 1;
      if (round.sending) connection.send(request);
      else resolve();
    };
    connection.send(request);
  });
}
