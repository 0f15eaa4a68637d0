// Drives one server over keep-alive connections, one request each at a time, and gives its rate.
import { performance } from 'node:perf_hooks';
import { OutOfTime } from '../out-of-time.mjs';
import { Connection } from './connection.mjs';

export const connectionCount = 50;
const usualGraceSeconds = 5;

/**
 * Sends the requests in turn, for so many seconds or so many answers, whichever `until` names.
 * @param requests arrays of bytes; several are rotated through, over all connections together
 * @param until `{ seconds }` or `{ answers }`; `graceSeconds`, how long it may be that no answer comes
 * @returns `{ answers, perSecond, busy }`; `busy` is the share of the time in which the generator was at work: near 1, it may be the bottleneck
 * @throws where an answer is not 2xx, a connection closes, or no answer comes: OutOfTime where none comes on any connection
 */
export async function measureRate(url, requests, until, connectionsWanted = connectionCount) {
  const address = new URL(url);
  const connections = await Promise.all(Array.from({ length: connectionsWanted }, () => Connection.open(address)));
  const before = performance.eventLoopUtilization();
  const began = performance.now();
  try {
    const answers = await drive(connections, turns(requests), until);
    const perSecond = (answers * 1000) / (performance.now() - began);
    return { answers, perSecond, busy: performance.eventLoopUtilization(before).utilization };
  } finally {
    for (const connection of connections) connection.close();
  }
}

function turns(requests) {
  if (requests.length === 1) return () => requests[0];
  let turn = 0;
  return () => {
    const request = requests[turn];
    turn = turn + 1 === requests.length ? 0 : turn + 1;
    return request;
  };
}

// After the time is up the answers under way are still awaited, so every request sent is counted.
async function drive(connections, next, until) {
  const { seconds, answers: most = Number.POSITIVE_INFINITY, graceSeconds = usualGraceSeconds } = until;
  const round = { answers: 0, sent: 0, most, sending: true, connections: connections.length };
  const timers = [];
  if (seconds !== undefined) timers.push(setTimeout(() => Object.assign(round, { sending: false }), seconds * 1000));
  const stalled = new Promise((_, reject) => {
    timers.push(setInterval(() => watch(round, graceSeconds, reject), graceSeconds * 1000));
  });
  const work = Promise.all(connections.map((connection) => keepSending(connection, next, round)));
  await Promise.race([work, stalled]).finally(() => timers.forEach(clearTimeout));
  return round.answers;
}

function watch(round, seconds, reject) {
  if (round.answers === round.seen) reject(stallOf(round, seconds));
  round.seen = round.answers;
}

/** A machine that stands still holds up all connections; one that is left alone has lost its answer. */
function stallOf({ sent, answers, connections }, seconds) {
  const waiting = sent - answers;
  if (waiting < connections) return new Error(`${waiting} of ${sent} requests had no answer within ${seconds} s`);
  return new OutOfTime(`no answer within ${seconds} s; the machine may be busy: leave it alone, and run it again`);
}

function keepSending(connection, next, round) {
  return new Promise((resolve, reject) => {
    connection.onFailure = reject;
    const sendOrEnd = () => {
      if (!round.sending || round.sent >= round.most) return resolve();
      round.sent += 1;
      connection.send(next());
    };
    connection.onAnswer = () => {
      round.answers += 1;
      sendOrEnd();
    };
    sendOrEnd();
  });
}
