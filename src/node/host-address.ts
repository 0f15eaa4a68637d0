// How a machine reaches its own server by the address it listens on.
import { isIPv6 } from 'node:net';
import type { EngineOptions } from '../engine.ts';

type Reach = Pick<EngineOptions, 'allowedHosts' | 'takesAnyHost' | 'showFixtures'>;

/** What was chosen beside the address. */
interface Chosen extends Omit<Reach, 'takesAnyHost'> {
  /** Those of one's own. */
  readonly fixtures?: unknown;
  readonly publicUrl?: unknown;
}

/** An address as a URL has it: IPv6 in brackets. A colon is looked for first: Node compiles a long pattern at the first question. */
const bracketed = (address: string): string => (address.includes(':') && isIPv6(address) ? `[${address}]` : address);

/** The name to call the address by: what listens on all, or on that of loopback, is reached as localhost. */
export const named = (host: string): string => (['0.0.0.0', '::', '127.0.0.1'].includes(host) ? 'localhost' : host);

/** The address as the Host of a request has it: whoever is told to listen there is also asked under it. One with a zone stands in none. */
function hostsOf(host: string): string[] {
  const url = urlOf(named(host), 1);
  return host !== '' && URL.canParse(url) ? [new URL(url).hostname] : [];
}

/** Whether only this machine reaches what listens there. Addresses are told by what they come to: 127.1 is one of them. */
export function isLoopback(host: string): boolean {
  const url = urlOf(host, 1);
  const loopback = /^(?:localhost|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]+\]|127\.\d+\.\d+\.\d+)$/;
  return host !== '' && URL.canParse(url) && loopback.test(new URL(url).hostname);
}

/** Whether the data of the fixtures may be shown to whoever asks: that of one's own is nobody else's, unless nobody else gets here. */
const mayShowFixtures = ({ fixtures, publicUrl }: Chosen, host: string): boolean =>
  fixtures === undefined || (isLoopback(host) && publicUrl === undefined);

/** What follows for an engine from the address that its server listens on. */
export const hostOptions = (host: string, chosen: Chosen): Required<Reach> => ({
  allowedHosts: [...(chosen.allowedHosts ?? []), ...hostsOf(host)],
  takesAnyHost: !isLoopback(host),
  showFixtures: chosen.showFixtures ?? mayShowFixtures(chosen, host),
});

/** The very address: what listens on all of them is asked on the loopback one. */
export function reached(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

/** Where a server is that listens here. */
export const urlOf = (address: string, port: number): string => `http://${bracketed(address)}:${port}`;
