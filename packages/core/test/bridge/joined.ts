import { onTestFinished } from 'vitest';
import type { ServedConnection, Traits, Transport } from '@rxmcp/transport';
import type { Fault } from '../../src/index.js';
import { bridge } from '../../src/index.js';
import type { Pipe } from '../rig/pipe.js';
import { pipe } from '../rig/pipe.js';
import { turn } from '../rig/turn.js';

/** A bridge whose both far ends are scripts. */
export interface Joined {
  readonly front: Pipe;
  readonly back: Pipe;
  readonly faults: Fault[];
  /** The bridge as what serves the front. */
  readonly served: ServedConnection;
}

/** Puts a bridge between two pipes; `behind` is what the pipe of the server can do. */
export async function joined(
  traits: Partial<Traits> = {},
  shakes = true,
  behind: Partial<Traits> = {},
): Promise<Joined> {
  const [front, back] = [pipe(traits), pipe(behind)];
  const faults: Fault[] = [];
  const there: Transport = { name: 'script', dial: () => Promise.resolve(back.connection) };
  const served = bridge(there, { onFault: (fault) => void faults.push(fault) }).accept(front.connection);
  onTestFinished(() => front.connection.close());
  await turn();
  if (shakes) {
    front.put({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params: {} });
    await turn();
    const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} };
    back.put({ jsonrpc: '2.0', id: back.sent.at(-1)?.id, result });
    await turn();
    front.sent.length = 0;
    back.sent.length = 0;
  }
  return { front, back, faults, served };
}
