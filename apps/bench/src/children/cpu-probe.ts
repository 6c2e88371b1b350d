// Loaded into every measured process with --import, the same for all: answers a message of its parent with the processor
// time used so far, in microseconds, or with the bytes of its heap after everything was collected that can be.
process.on('message', (message) => {
  if (message === 'heap') void heapBytes().then((bytes) => process.send?.(bytes));
  else {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  }
});
// A parent that is killed ends nothing that it has started.
process.on('disconnect', () => process.exit());
// The channel alone keeps no server alive.
process.channel?.unref();

async function heapBytes(): Promise<number> {
  for (let pass = 0; pass < 4; pass += 1) {
    // What ends later, such as a handle that is being closed, is collected in the next pass.
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return process.memoryUsage().heapUsed;
}

export {};
