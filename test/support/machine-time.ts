// Tests that hold a server, or a client, to moments of the machine's own time.

/**
 * For such a test: a machine that stands still for seconds lets a right server miss its moment, so it is tried again, which the end of the run names; a
 * wrong one misses it each time. What may be lost, or seen in the wrong order, now and then is never held so.
 */
export const inMachineTime = { retry: 2 };
