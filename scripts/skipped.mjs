// Says, after everything else, which tests were skipped for want of what this machine does not have.
import { existsSync } from 'node:fs';

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
