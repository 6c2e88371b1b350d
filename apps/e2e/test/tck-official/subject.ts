import type { ConnectionHandler, ServeHandle } from '@rxmcp/transport';
import { serveSdkTransport, type SdkTransport } from '@rxmcp/transport/sdk';
import type { Relay, SessionOpener, ServeFixture } from '@rxmcp/transport-tck';
import { relayTo } from '@rxmcp/transport-tck/node';
import { exhaustive } from '../../../../vitest.exhaustive.js';

/** One pair of official transports on trial. */
export interface Subject {
  /** Heads its column of the table. */
  readonly name: string;
  /** Its server is another process. @default false */
  readonly remote?: boolean;
  readonly serve: ServeFixture;
}

/** Where to dial to a port: in the exhaustive run behind a relay of the kit. Call `close` once the served side has closed. */
export async function relayed(port: number): Promise<{
  readonly port: number;
  readonly relay?: Relay;
  close(): Promise<void>;
}> {
  if (!exhaustive) return { port, close: () => Promise.resolve() };
  const relay = await relayTo({ port });
  return { port: relay.port, relay, close: () => relay.close() };
}

/** Serves what official transports accept, and closes all of it. */
export function official(acceptor: ConnectionHandler): {
  accept(transport: SdkTransport): void;
  close(): Promise<void>;
} {
  const handles: ServeHandle[] = [];
  return {
    accept: (transport) => void handles.push(serveSdkTransport(acceptor, transport)),
    async close() {
      await Promise.all(handles.map((handle) => handle.close()));
    },
  };
}

/** A session is opened as their clients do. */
export async function open({ request, notify }: SessionOpener): Promise<void> {
  const protocolVersion = '2025-11-25';
  const clientInfo = { name: 'kit', version: '1' };
  await request('initialize', { protocolVersion, capabilities: {}, clientInfo });
  await notify('notifications/initialized', {}, { completesHandshake: true, version: protocolVersion });
}
