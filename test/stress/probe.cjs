// Loaded into the server's process before the program: on SIGUSR2 it collects garbage and prints what is in use.
process.on('SIGUSR2', () => {
  globalThis.gc();
  const probe = { resources: process.getActiveResourcesInfo().sort(), heapBytes: process.memoryUsage().heapUsed };
  process.stdout.write(`${JSON.stringify({ probe })}\n`);
});
