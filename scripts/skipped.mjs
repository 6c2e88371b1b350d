import { existsSync } from 'node:fs';

/** Prints how many tests were skipped and why, from how many each package or app skipped for each reason. */
export function printSkipped(tested) {
  const skipped = new Map();
  for (const project of tested)
    for (const [reason, count] of Object.entries(project.skipped))
      skipped.set(reason, (skipped.get(reason) ?? 0) + count);
  const total = [...skipped.values()].reduce((sum, count) => sum + count, 0);
  console.log(`${total} tests were skipped${total === 0 ? '.' : ':'}`);
  for (const [reason, count] of skipped) console.log(`  ${count}: ${reason}`);

  // What this machine does not have.
  const chromium = process.env.RXMCP_CHROMIUM ?? '/usr/bin/chromium';
  if (!existsSync(chromium)) {
    console.log(`The tests in a browser were skipped: there is no Chromium at ${chromium}.`);
    console.log('Install it (apt-get install chromium), or set RXMCP_CHROMIUM to the path of one.');
  }

  if (!existsSync('/usr/bin/redis-server')) {
    console.log('The tests of the Redis transport were skipped: there is no /usr/bin/redis-server.');
    console.log('Install it (apt-get install redis-server).');
  }

  if (!existsSync('/usr/sbin/nginx')) {
    console.log('The test behind nginx was skipped: there is no /usr/sbin/nginx.');
    console.log('Install it (apt-get install nginx-light).');
  }
}
