// The address that a server listens on: as a URL, as a Host, and the engine options that follow from it.
import { isIPv6 } from 'node:net';
import type { EngineOptions } from '../engine.ts';

type HostOptions = Pick<EngineOptions, 'allowedHosts' | 'takesAnyHost' | 'showFixtures'>;

/** `fixtures` are the user's own. */
type GivenOptions = Omit<HostOptions, 'takesAnyHost'> & { readonly fixtures?: unknown; readonly publicUrl?: unknown };

/** IPv6 is in brackets. The colon is looked for first: Node compiles a long pattern at the first isIPv6. */
export const urlOf = (address: string, port: number, scheme: 'http' | 'https' = 'http'): string =>
  `${scheme}://${address.includes(':') && isIPv6(address) ? `[${address}]` : address}:${port}`;

/** The name to show for the address: localhost for all addresses and for the IPv4 loopback. */
export const displayName = (host: string): string =>
  ['0.0.0.0', '::', '127.0.0.1'].includes(host) ? 'localhost' : host;

/** The address to connect to: loopback if the server listens on all addresses. */
export function addressToCall(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

/** Only this machine can reach the address. URL normalizes it first: 127.1 is a loopback address too. */
export function isLoopback(host: string): boolean {
  const url = urlOf(host, 1);
  const loopback = /^(?:localhost|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]+\]|127\.\d+\.\d+\.\d+)$/;
  return host !== '' && URL.canParse(url) && loopback.test(new URL(url).hostname);
}

/** The engine options that follow from the address of its server. */
export const hostOptions = (
  host: string,
  { allowedHosts = [], showFixtures, fixtures, publicUrl }: GivenOptions,
): { [name in keyof HostOptions]-?: NonNullable<HostOptions[name]> } => ({
  allowedHosts: [...allowedHosts, ...hostnames(host)],
  takesAnyHost: !isLoopback(host),
  // The user's own fixtures are shown only if the server is reachable from this machine alone.
  showFixtures: showFixtures ?? (fixtures === undefined || (isLoopback(host) && publicUrl === undefined)),
});

/** The address as the Host of a request has it; empty for an address with a zone, which no Host has. */
function hostnames(host: string): string[] {
  const url = urlOf(displayName(host), 1);
  return host !== '' && URL.canParse(url) ? [new URL(url).hostname] : [];
}
