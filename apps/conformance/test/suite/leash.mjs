// Ends a process with all that it started as soon as whoever started it is gone, however that came. It has to lead a group.
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
