import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A web site of files, on an origin of its own. */
export interface Site {
  readonly origin: string;
}

/** What pages may do: load scripts, workers and frames from this machine, call it, and never make code of text. */
const policy = [
  `default-src 'none'`,
  `script-src 'self'`,
  `worker-src 'self'`,
  'connect-src http://127.0.0.1:* ws://127.0.0.1:*',
  'frame-src http://127.0.0.1:*',
].join('; ');

/**
 * Serves scripts by their names, and for any other path a page that loads the script of that name: `/desk` loads
 * `/desk.js`. Ends with its test.
 */
export async function site(scripts: Readonly<Record<string, Uint8Array>>): Promise<Site> {
  const server = createServer((request, response) => {
    const name = (request.url ?? '').split('?', 1)[0]?.slice(1) ?? '';
    const script = scripts[name];
    response.writeHead(200, {
      'content-type': script === undefined ? 'text/html; charset=utf-8' : 'text/javascript; charset=utf-8',
      'content-security-policy': policy,
    });
    response.end(
      script ?? `<!doctype html><title>A page</title><script type="module" src="/${name}.js"></script>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { origin: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` };
}
