import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rejectUnknownOptions } from '@rxmcp/core/internal';
import { AuthError } from '../client/errors.js';
import type { Redirect } from '../client/options.js';

/** Options of {@link loopbackRedirect}. */
export interface LoopbackRedirectOptions {
  /** The port that the browser comes back to; 0 is a free one. Authorization servers that compare ports need a fixed one. @default 0 */
  readonly port?: number;
  /** Opens the address of the sign-in. @default the browser of the system */
  readonly open?: (url: URL) => unknown;
  /** Longest time until the browser comes back, in milliseconds. @default 300_000 */
  readonly timeoutMs?: number;
}

const knownOptions: Record<keyof LoopbackRedirectOptions, true> = { port: true, open: true, timeoutMs: true };
const page = (text: string): string =>
  `<!doctype html><meta charset="utf-8"><title>Sign-in</title><p>${text}</p>`;

/**
 * Creates a redirect for programs on the machine of the person: a browser signs in and comes back to 127.0.0.1. RFC 8252
 * section 7.3.
 */
export function loopbackRedirect(options: LoopbackRedirectOptions = {}): Redirect {
  rejectUnknownOptions('loopbackRedirect', options, knownOptions, {});
  const { port = 0, open = openInBrowser, timeoutMs = 300_000 } = options;
  return {
    async start() {
      let landed: ((url: URL) => void) | undefined;
      let state: string | null = null;
      const server = createServer((request, response) => {
        // The query alone is read: other parts of a request may be anything.
        const [path, ...query] = (request.url ?? '').split('?');
        const url = new URL(`http://127.0.0.1/callback?${query.join('?')}`);
        // Any page can send a browser here; only the response to this sign-in has its `state`, and it counts once.
        const isResponse =
          path === '/callback' &&
          request.method === 'GET' &&
          state !== null &&
          url.searchParams.get('state') === state;
        response.writeHead(isResponse ? 200 : 404, {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': "default-src 'none'",
          'referrer-policy': 'no-referrer',
          connection: 'close',
        });
        response.end(page(isResponse ? 'You can close this page now.' : 'There is nothing here.'));
        if (!isResponse) return;
        state = null;
        landed?.(url);
      });
      await new Promise<void>((resolve, reject) => {
        server.once('error', (cause) => {
          const message = `no server for the sign-in can listen at 127.0.0.1:${port}`;
          reject(new AuthError('REDIRECT_FAILED', message, { cause }));
        });
        server.listen(port, '127.0.0.1', resolve);
      });
      const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
      return {
        redirectUri,
        async open(url) {
          let alarm: NodeJS.Timeout | undefined;
          const redirected = new Promise<URL>((resolve, reject) => {
            landed = resolve;
            state = url.searchParams.get('state');
            const late = `the browser did not come back within ${timeoutMs} ms`;
            alarm = setTimeout(() => reject(new AuthError('REDIRECT_FAILED', late)), timeoutMs);
          });
          try {
            // What opens the address may run for as long as the browser does.
            return await Promise.race([redirected, Promise.resolve(open(url)).then(() => redirected)]);
          } finally {
            clearTimeout(alarm);
          }
        },
        close: () =>
          new Promise<void>((resolve) => {
            server.close(() => resolve());
            // Who connects and sends nothing must not keep it open; the page at the end has a moment to arrive.
            setTimeout(() => server.closeAllConnections(), 250).unref();
          }),
      };
    },
  };
}

/**
 * Opens an address in the browser of the system, without a shell.
 * @throws AuthError for one that is not `http:` or `https:`
 */
export function openInBrowser(url: URL): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new AuthError(
      'REDIRECT_FAILED',
      `${JSON.stringify(url.protocol)} addresses are not opened in a browser`,
    );
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', url.href]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url.href]
        : ['xdg-open', url.href];
  // Where there is no browser the address can still be opened by hand.
  spawn(command as string, args, { stdio: 'ignore', detached: true })
    .on('error', () => process.stderr.write(`open this address to sign in:\n${url.href}\n`))
    .unref();
}
