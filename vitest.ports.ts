import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port of 127.0.0.1 at which no server listens. A port that a server had and closed is not one: the system gives it to the
 * next that asks, such as a test that runs at the same time. It never chooses one below 1,024, and pages may dial this one.
 */
export const closedPort = 2;

/**
 * Returns a port of 127.0.0.1 that no server has, for a server that closes and listens there again. The system gives none of these to
 * those who leave the choice to it, such as a test that runs at the same time.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
