// Ends a process with all that it started as soon as its parent has ended, for whatever reason. It must lead a group.
import process from 'node:process';

process.once('disconnect', () => {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.exit(1);
  }
});
// The leash alone keeps nothing alive.
process.channel?.unref();
