// The addresses of this machine.
import { networkInterfaces } from 'node:os';

/** Whether it has ::1. */
export const hasV6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
