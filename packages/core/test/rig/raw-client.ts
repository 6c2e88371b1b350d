import type { Traits } from '@rxmcp/transport';
import { onTestFinished } from 'vitest';
import type { Fault, Offer, ServerOptions } from '../../src/index.js';
import { defineServer } from '../../src/index.js';
import type { Frame, Pipe } from './pipe.js';
import { pipe } from './pipe.js';
import { turn, until } from './turn.js';

/** `_meta` of a modern request. */
export function modernMeta(more: Record<string, unknown> = {}, capabilities: object = {}): object {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...more,
  };
}

/** A scripted client of a server under test. */
export interface RawClient extends Pipe {
  readonly faults: Fault[];
  readonly server: ReturnType<typeof defineServer>;
  readonly served: ReturnType<ReturnType<typeof defineServer>['accept']>;
  /** Sends a request as it is and gives its response. */
  ask(frame: object): Promise<Frame>;
  /** A modern request. */
  modern(id: string | number, method: string, params?: object, capabilities?: object): Promise<Frame>;
  /** Shakes hands as an older client. */
  shake(version?: string, capabilities?: object): Promise<Frame>;
  /** All that was sent since the last call of this. */
  take(): Promise<Frame[]>;
}

/** Puts a scripted client on a pipe to a server with these offers. */
export function rawClient(
  offers: readonly Offer[],
  options: Partial<ServerOptions> & { traits?: Partial<Traits>; watchFaults?: boolean } = {},
): RawClient {
  const { traits, watchFaults = true, ...rest } = options;
  const server = defineServer({ info: { name: 's', version: '1' }, offers, ...rest });
  return joined(server, traits, watchFaults);
}

/** Puts another scripted client on a pipe to a server. */
export function joined(
  server: ReturnType<typeof defineServer>,
  traits: Partial<Traits> = {},
  watchFaults = true,
): RawClient {
  const wire = pipe(traits);
  const faults: Fault[] = [];
  if (watchFaults) server.faults$.subscribe((fault) => void faults.push(fault));
  const served = server.accept(wire.connection);
  onTestFinished(() => void wire.connection.close());
  let taken = 0;
  const ask = async (frame: object): Promise<Frame> => {
    const { id } = frame as Frame;
    const from = wire.sent.length;
    const response = (): Frame | undefined =>
      wire.sent.slice(from).find((f) => f.method === undefined && f.id === id);
    wire.put({ jsonrpc: '2.0', ...frame });
    await until(() => response() !== undefined);
    return response() as Frame;
  };
  const more = {
    faults,
    server,
    served,
    ask,
    modern: (id: string | number, method: string, params = {}, capabilities = {}) =>
      ask({ id, method, params: { ...params, _meta: modernMeta({}, capabilities) } }),
    shake: async (version = '2025-11-25', capabilities = {}) => {
      const params = { protocolVersion: version, capabilities, clientInfo: { name: 'raw', version: '0' } };
      const response = await ask({ id: 'hello', method: 'initialize', params });
      wire.put({ jsonrpc: '2.0', method: 'notifications/initialized' });
      return response;
    },
    take: async () => {
      await turn();
      const fresh = wire.sent.slice(taken);
      taken = wire.sent.length;
      return fresh;
    },
  };
  return Object.defineProperties(more, Object.getOwnPropertyDescriptors(wire)) as typeof more & Pipe;
}
