import { randomUUID } from 'node:crypto';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { listening, type Listening } from './listening.js';
import { orderedStore } from './ordered-store.js';
import { type Shared, v1Desk } from './v1-desk.js';

/** How the official server is set up. */
export interface V1Options {
  readonly sessions?: boolean;
  readonly json?: boolean;
  readonly resumable?: boolean;
  readonly retryMs?: number;
  readonly keepAliveMs?: number;
}

/** An official server that listens. */
export interface V1Server extends Listening {
  readonly shared: Shared;
  readonly sessions: number;
  /** Loses its sessions, as a server does that is started anew. */
  forget(): void;
}

/** Serves the desk with the official transport, as its examples do. */
export async function v1Server(options: V1Options = {}): Promise<V1Server> {
  const { sessions = true, json = false, resumable = false, retryMs, keepAliveMs } = options;
  const shared: Shared = { count: 0, cancelled: 0, release: () => undefined };
  const open = new Map<string, StreamableHTTPServerTransport>();
  const made = (stateful: boolean): StreamableHTTPServerTransport => {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      enableJsonResponse: json,
      ...(stateful
        ? {
            sessionIdGenerator: () => randomUUID(),
            onsessioninitialized: (id: string) => void open.set(id, transport),
            onsessionclosed: (id: string) => void open.delete(id),
          }
        : {}),
      ...(resumable ? { eventStore: orderedStore() } : {}),
      ...(retryMs === undefined ? {} : { retryInterval: retryMs }),
      ...(keepAliveMs === undefined ? {} : { keepAliveMs }),
    });
    return transport;
  };
  const listener = await listening(async (request, response, body) => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? open.get(id) : undefined;
    if (sessions && known === undefined && id !== undefined) {
      response.writeHead(404).end();
      return;
    }
    if (!sessions && request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const transport = known ?? made(sessions);
    if (known === undefined)
      await v1Desk(shared).connect(transport as Parameters<ReturnType<typeof v1Desk>['connect']>[0]);
    await transport.handleRequest(request, response, body);
  });
  return {
    ...listener,
    shared,
    get sessions() {
      return open.size;
    },
    forget() {
      open.clear();
      listener.cut('GET');
    },
  };
}
