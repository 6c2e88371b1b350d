import type { Connection, Traits, Transport } from '@rxmcp/transport';
import { TransportError } from '@rxmcp/transport';
import { onTestFinished } from 'vitest';
import type { ClientOptions, Remote } from '../../src/index.js';
import { defineClient } from '../../src/index.js';
import type { Frame, Pipe } from './pipe.js';
import { pipe } from './pipe.js';

/** What a scripted server does with a request or notification. Returning undefined leaves it unanswered. */
export type Script = (frame: Frame, wire: Pipe, dial: number) => object | undefined;

/** A scripted server that can be dialled, and all its connections. */
export interface RawServer extends Transport {
  readonly pipes: Pipe[];
  /** Dials beyond this number fail. */
  maxDials: number;
  /** What was asked on any connection, without openings. */
  calls(): Frame[];
}

const openings = new Set(['server/discover', 'initialize', 'notifications/initialized']);

/** A server that answers as the script says; openings are answered for it in the given era. */
export function rawServer(
  script: Script,
  options: { era?: 'modern' | 'legacy' | 'own'; capabilities?: object; version?: string } = {},
  traits: Partial<Traits> = {},
): RawServer {
  const { era = 'modern', capabilities = {}, version = '2025-11-25' } = options;
  const opening = (frame: Frame): object | undefined => {
    if (era === 'own') return undefined;
    if (frame.method === 'server/discover') {
      if (era === 'legacy') return { error: { code: -32601, message: 'what?' } };
      return { result: { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities } };
    }
    if (frame.method !== 'initialize') return undefined;
    return {
      result: { protocolVersion: version, capabilities, serverInfo: { name: 'raw', version: '0' } },
    };
  };
  const self: RawServer = {
    name: 'scripted',
    pipes: [],
    maxDials: Infinity,
    calls: () =>
      self.pipes.flatMap((p) => p.sent).filter((f) => f.method === undefined || !openings.has(f.method)),
    dial(): Promise<Connection> {
      if (self.pipes.length >= self.maxDials) {
        return Promise.reject(new TransportError('DIAL_FAILED', 'no server', { outcome: 'not-sent' }));
      }
      const wire = pipe(traits);
      const number = self.pipes.push(wire);
      wire.onFrame = (frame) => {
        if (frame.method === undefined) return void script(frame, wire, number);
        const response = opening(frame) ?? script(frame, wire, number);
        if (response !== undefined && frame.id !== undefined) {
          wire.put({ jsonrpc: '2.0', id: frame.id, ...response });
        }
      };
      return Promise.resolve(wire.connection);
    },
  };
  return self;
}

/** Connects a client to it and closes that at the end of the test. */
export async function connected(server: Transport, options: Partial<ClientOptions> = {}): Promise<Remote> {
  const client = defineClient({ info: { name: 'c', version: '1' }, ...options });
  const remote = await client.connect(server);
  onTestFinished(() => remote.close());
  return remote;
}

/** The loss of a connection. */
export const lost = (): TransportError => new TransportError('CONNECTION_LOST', 'cut');
