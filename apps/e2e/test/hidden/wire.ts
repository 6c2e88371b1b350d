import type { Server } from '@rxmcp/core';
import { memory } from '@rxmcp/memory';
import { onTestFinished } from 'vitest';

/** A message as a script sees it. */
export interface Frame {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A client that is a script: it sends what it likes and sees each frame as it came. */
export interface Script {
  /** Sends a request and gives its answer, or what else came of it first: the acknowledgement of a subscription. */
  ask(method: string, params: object): Promise<Frame>;
}

/** Puts a script before a server, as one of a revision; the older ones shake hands first. */
export async function script(server: Server, version: string): Promise<Script> {
  const wire = memory({ principal: 'ada' });
  const handle = wire.serve(server);
  const connection = await wire.dial({ signal: new AbortController().signal });
  const waiting = new Map<unknown, (frame: Frame) => void>();
  const take = (frame: Frame): void => {
    const subscription = idOf(frame);
    const waits = waiting.get(frame.id ?? subscription);
    waiting.delete(frame.id ?? subscription);
    if (subscription !== undefined) tell('notifications/cancelled', { requestId: subscription });
    waits?.(frame);
  };
  const tell = (method: string, params?: Record<string, unknown>): void =>
    void connection.send({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });
  connection.start({
    received: (message) => take(message as Frame),
    laneClosed: () => undefined,
    fault: () => undefined,
    closed: () => undefined,
  });
  onTestFinished(async () => {
    await connection.close();
    await handle.close();
  });
  const modern = version >= '2026';
  const claims = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  let id = 0;
  const ask = (method: string, params: object): Promise<Frame> => {
    const { _meta: meta, ...rest } = params as { _meta?: object };
    const all = modern ? { ...rest, _meta: { ...claims, ...meta } } : params;
    id += 1;
    const answer = new Promise<Frame>((resolve) => waiting.set(id, resolve));
    void connection.send({ jsonrpc: '2.0', id, method, params: all as Record<string, unknown> });
    return answer.then(withoutIds);
  };
  if (!modern) {
    await ask('initialize', {
      protocolVersion: version,
      capabilities: {},
      clientInfo: { name: 'script', version: '0' },
    });
    tell('notifications/initialized');
  }
  return { ask };
}

const subscriptionId = 'io.modelcontextprotocol/subscriptionId';

/** The subscription that a notice or a result belongs to. */
function idOf({ params }: Frame): unknown {
  return (params?._meta as Record<string, unknown> | undefined)?.[subscriptionId];
}

function withoutIds({ id: _id, ...frame }: Frame): Frame {
  if (idOf(frame) === undefined) return frame;
  return { ...frame, params: { ...frame.params, _meta: undefined } };
}
