import { echoConnectionHandler } from '../../src/index.js';
import { type Posted, postedConnection, postParts } from './posted.js';

// Serves the echo of the kit over the channel to its parent. Its arguments say how it misbehaves.
let sent: Promise<unknown> = Promise.resolve();
const leave = (): void => {
  if (process.connected) process.disconnect();
};
const isHasty = process.argv.includes('hasty');
const post = {
  post(data: Posted): void {
    if (isHasty) setImmediate(() => process.send?.(data));
    else this.send(data);
  },
  send(data: Posted): void {
    sent = new Promise((resolve) =>
      process.connected ? process.send?.(data, undefined, undefined, resolve) : resolve(0),
    );
  },
  listen(take: (data: Posted) => void): void {
    process.on('message', (data) => {
      take(data as Posted);
      if (data !== 0) return;
      if (process.argv.includes('crashing')) process.exit(1);
      if (!process.argv.includes('staying')) setImmediate(leave); // inside 'message' Node throws
    });
    if (process.argv.includes('noisy')) process.stderr.write('a warning of its own\n');
  },
  onGone: (gone: () => void) => void process.once('disconnect', gone),
  close: () => (isHasty ? process.exit(0) : sent.then(leave)),
};
echoConnectionHandler().accept(postedConnection(post, postParts, true));
