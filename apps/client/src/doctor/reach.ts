import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { findProgram } from '@rxmcp/app-serving/find-program';
import { loadTransport } from '@rxmcp/app-serving/custom-transport';
import { addressAt, type SocketAddress } from '../target/socket-url.js';
import { signInsFile } from '../target/sign-in.js';
import type { Target } from '../target/target.js';
import { type Check, CheckError } from './check.js';

/** Returns the checks that need no MCP: whether the server can be reached, and whether it requires a sign-in. */
export function reachChecks(target: Target, timeoutMs: number, env: NodeJS.ProcessEnv): readonly Check[] {
  if (target.kind === 'command') {
    const { command, cwd } = target;
    return [{ name: 'resolve', run: () => findProgram(command, { ...env, ...target.env }, cwd) }];
  }
  if (target.kind === 'module')
    return [{ name: 'resolve', run: async () => (await loadTransport(target.file)).name }];
  const signal = (): AbortSignal => AbortSignal.timeout(timeoutMs);
  const address = addressAt(target.url);
  if ('path' in address) return [tcpCheck(address, signal)];
  const { host, port } = address;
  const found = [resolveCheck(host), tcpCheck(address, signal)];
  if (/^tcp:/i.test(target.url)) return found;
  const url = new URL(target.url.replace(/^sse\+/i, ''));
  const isSecure = /^(?:https|wss):$/.test(url.protocol);
  const isHttp = url.protocol.startsWith('http');
  const http = new HttpChecks(url, target, signal, env);
  return [
    ...found,
    ...(isSecure ? [tlsCheck(host, port, signal)] : []),
    ...(isHttp ? [http.http, http.auth] : []),
  ];
}

function resolveCheck(host: string): Check {
  return {
    name: 'resolve',
    run: async () => (await lookup(host, { all: true })).map(({ address }) => address).join(', '),
  };
}

function tcpCheck(address: SocketAddress, signal: () => AbortSignal): Check {
  const shown = 'path' in address ? address.path : `${address.host}:${address.port}`;
  return {
    name: 'tcp',
    run: async () => {
      await opened(connectTcp(address), 'connect', signal());
      return `connected to ${shown}`;
    },
  };
}

function tlsCheck(host: string, port: number, signal: () => AbortSignal): Check {
  return {
    name: 'tls',
    run: async () => {
      const isName = !/^[\d.]+$|:/.test(host);
      const socket = connectTls({ host, port, ...(isName ? { servername: host } : {}) });
      let shown = '';
      socket.once('secureConnect', () => {
        const { valid_to } = socket.getPeerCertificate();
        shown = `${socket.getProtocol() ?? 'TLS'}, certificate valid to ${valid_to}`;
      });
      await opened(socket, 'secureConnect', signal());
      return shown;
    },
  };
}

/** Resolves once a socket is open, and destroys it. Rejects with the code of the failure. */
async function opened(socket: Socket | TLSSocket, event: string, signal: AbortSignal): Promise<void> {
  try {
    await once(socket, event, { signal });
  } catch (error) {
    if (signal.aborted) throw new CheckError('no response in time', 'Check the network and firewalls');
    const { code = '', message } = error as NodeJS.ErrnoException;
    // The text of OpenSSL has addresses of its memory.
    const why = event === 'secureConnect' ? `the handshake of TLS failed: ${code}` : message;
    throw Object.assign(new Error(why), { code });
  } finally {
    socket.on('error', () => undefined);
    socket.destroy();
  }
}

/** Checks by one request of HTTP. */
class HttpChecks {
  #status = 0;
  #challenge = '';

  constructor(
    private readonly url: URL,
    private readonly target: Extract<Target, { kind: 'url' }>,
    private readonly signal: () => AbortSignal,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  readonly http: Check = {
    name: 'http',
    run: async () => {
      const isSse = this.target.url.startsWith('sse+');
      let response = await this.#request(isSse ? 'GET' : 'POST');
      // A server of HTTP+SSE only knows GET here.
      if (!isSse && (response.status === 404 || response.status === 405)) {
        const other = await this.#request('GET');
        if (other.ok) response = other;
      }
      const { status } = response;
      this.#status = status;
      this.#challenge = response.headers.get('www-authenticate') ?? '';
      const where = `${this.url.origin}${this.url.pathname} answers ${status}`;
      const location = response.headers.get('location');
      if (status >= 300 && status < 400 && location !== null)
        throw new CheckError(`${where}, a redirect`, `Use the URL ${location}`);
      if (status === 404 || status === 405)
        throw new CheckError(where, 'Correct the path of the URL, such as /mcp or /sse');
      if (status >= 500) throw new CheckError(where, 'Look into the log of the server or of its proxy');
      return where;
    },
  };

  readonly auth: Check = {
    name: 'auth',
    run: () => {
      const isGiven = new Headers(this.target.headers).has('authorization');
      if (this.#status === 401 || this.#status === 403) {
        const rejected = `the server answers ${this.#status}`;
        if (isGiven)
          throw new CheckError(`${rejected}: it rejects the authorization header`, 'Correct the header');
        if (this.#status === 403)
          throw new CheckError(rejected, 'Pass the credentials with --header, or allow this client and host');
        if (!existsSync(signInsFile(this.env)))
          throw new CheckError(
            `${rejected}: it requires ${/^\s*(\w+)/.exec(this.#challenge)?.[1] ?? 'credentials'}`,
            `Run: rxmcp login ${this.url.href}, or pass the credentials with --header`,
          );
        return Promise.resolve('required; there are sign-ins, which the next check uses');
      }
      return Promise.resolve(isGiven ? 'the authorization header is accepted' : 'none required');
    },
  };

  async #request(method: 'GET' | 'POST'): Promise<Response> {
    const accept = method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream';
    const response = await fetch(this.url, {
      method,
      redirect: 'manual',
      headers: {
        ...this.target.headers,
        accept,
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      },
      signal: this.signal(),
      ...(method === 'POST' ? { body: '{"jsonrpc":"2.0","id":"doctor","method":"ping"}' } : {}),
    }).catch((error: unknown) => {
      const { cause } = error as { cause?: NodeJS.ErrnoException };
      const why = cause?.code ?? cause?.message ?? (error as Error).message;
      throw new Error(`${this.url.origin} sends no HTTP response: ${why}`, { cause: error });
    });
    await response.body?.cancel();
    return response;
  }
}
