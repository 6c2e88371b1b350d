import type { Connection, Receiver, Transport } from '@rxmcp/transport';
import { TransportError } from '@rxmcp/transport';
import { describe, expect, it } from 'vitest';
import { withFallback } from '../src/url/fallback-transport.js';

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } },
} as const;
const refusal = { jsonrpc: '2.0', id: 1, error: { code: -32600, message: 'no endpoint' } };
const traits = {
  lanes: 'shared',
  idScope: 'connection',
  serverInitiates: true,
  clientReplies: true,
  carriesHeaders: false,
  redialable: true,
  maxMessageBytes: Infinity,
} as const;

/** A transport whose connection does what the test says. */
function scripted(name: string) {
  let receiver: Receiver | undefined;
  const sent: unknown[] = [];
  const connection: Connection = {
    traits,
    start: (given) => void (receiver = given),
    send: async (out) => void sent.push(out),
    endLane: () => undefined,
    close: async () => receiver?.closed(),
  };
  const transport: Transport = { name, dial: () => Promise.resolve(connection) };
  return { transport, sent, receiver: () => receiver as Receiver };
}

async function dialled(second: Transport) {
  const first = scripted('first');
  const events: unknown[] = [];
  const held: (number | undefined)[] = [];
  const connection = await withFallback(first.transport, second).dial();
  connection.start({
    received: (message, _, heldBytes) => {
      events.push(message);
      held.push(heldBytes);
    },
    laneClosed: () => undefined,
    fault: () => undefined,
    closed: (error) => void events.push(error ?? 'closed'),
  });
  await connection.send(initialize as never);
  return { first, connection, events, held };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('a transport that falls back to a second one', () => {
  it('reports the refusal, then the end of the first, where the first ends while the second is dialled in vain', async () => {
    let fail = (_error: Error): void => undefined;
    const second = { name: 'second', dial: () => new Promise<never>((_, reject) => void (fail = reject)) };
    const { first, events } = await dialled(second);
    first.receiver().received(refusal);
    const lost = new TransportError('CONNECTION_LOST', 'lost', {});
    first.receiver().closed(lost);
    expect(events).toEqual([]);
    fail(new Error('no'));
    await settled();
    expect(events).toEqual([refusal, lost]);
  });

  it('reports nothing of the first once the second took over', async () => {
    const second = scripted('second');
    const { first, events } = await dialled(second.transport);
    first.receiver().received(refusal);
    await settled();
    first.receiver().closed();
    expect(second.sent).toEqual([initialize]);
    expect(events).toEqual([]);
    second.receiver().closed();
    expect(events).toEqual(['closed']);
  });

  it('aborts the dial of the second when it is closed, and ends with the first', async () => {
    let signal: AbortSignal | undefined;
    const dial: Transport['dial'] = (options) =>
      new Promise((_, reject) => {
        signal = options?.signal;
        signal?.addEventListener('abort', () => reject(new Error('aborted')));
      });
    const { first, connection, events } = await dialled({ name: 'second', dial });
    first.receiver().received(refusal);
    await connection.close();
    expect(signal?.aborted).toBe(true);
    expect(events).toEqual([refusal, 'closed']);
  });

  it('passes on what a message takes, so that it is charged', async () => {
    const { first, held } = await dialled(scripted('second').transport);
    first.receiver().received({ jsonrpc: '2.0', id: 'a', method: 'elicitation/create' }, undefined, 1_000);
    expect(held).toEqual([1_000]);
  });
});
