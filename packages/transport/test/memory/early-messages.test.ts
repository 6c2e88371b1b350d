import { encode } from '@rxmcp/jsonrpc';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createConnection,
  estimateRequestBytes,
  pipeTraits,
  processMemory,
  type Sink,
  TransportError,
} from '../../src/index.js';
import { connectionHolder, HeldBytes } from '../../src/internal.js';
import { fromSdkTransport, type SdkTransport } from '../../src/sdk.js';
import { listener, note, turn } from '../loop.js';

const budget = processMemory();
const filler = new HeldBytes(budget, connectionHolder());
afterEach(() => void filler.resize(0));

/** A connection whose channel delivers before `start`. */
function early() {
  let sink: Sink | undefined;
  const closes: unknown[] = [];
  const connection = createConnection(
    (given) => {
      sink = given;
      return { start: () => undefined, send: () => undefined, close: (error) => void closes.push(error) };
    },
    { ...pipeTraits, holder: 'principal ada' },
  );
  return { connection, sink: sink as Sink, heard: listener(), closes };
}

describe('messages that arrive before the start of a connection', () => {
  it('are charged to its holder until they are delivered', async () => {
    const before = budget.heldBytes;
    const { connection, sink, heard } = early();
    const text = encode(note(1, { pad: 'x'.repeat(10_000) }));
    sink.text(text);
    sink.value(note(2), undefined, 5_000);
    const { holder, heldBytes } = budget.stats().largest.find((one) => one.holder === 'principal ada') ?? {};
    expect([holder, heldBytes]).toEqual(['principal ada', estimateRequestBytes(text) + 5_000]);
    connection.start(heard);
    await turn();
    expect(heard.messages).toHaveLength(2);
    expect(budget.heldBytes).toBe(before);
  });

  it('end it with OVERFLOW, and its channel, where the memory of the process does not suffice', () => {
    const before = budget.heldBytes;
    const { connection, sink, heard, closes } = early();
    expect(filler.resize(budget.maxBytes - before - 50_000)).toBe(true);
    sink.text(encode(note(1, { pad: 'x'.repeat(10_000) })));
    sink.text(encode(note(2, { pad: 'x'.repeat(20_000) })));
    filler.resize(0);
    expect(budget.heldBytes).toBe(before);
    expect(closes).toMatchObject([{ code: 'OVERFLOW' }]);
    connection.start(heard);
    return turn().then(() => expect(heard.ends).toMatchObject([{ code: 'OVERFLOW' }]));
  });

  it('leave no charge behind, after any sequence', async () => {
    const step = fc.oneof(
      { weight: 8, arbitrary: fc.nat({ max: 30_000 }).map((length) => ({ length })) },
      { weight: 1, arbitrary: fc.constantFrom('start', 'close', 'end', 'fault', 'turn') },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const before = budget.heldBytes;
        const { connection, sink, heard } = early();
        let isStarted = false;
        for (const one of steps) {
          if (typeof one === 'object') sink.text(encode(note(1, { pad: 'x'.repeat(one.length) })));
          else if (one === 'close') void connection.close();
          else if (one === 'end') sink.closed(new TransportError('CONNECTION_LOST', 'lost'));
          else if (one === 'fault') sink.fault(new TransportError('UNEXPECTED_OUTPUT', 'x'));
          else if (one === 'turn') await turn();
          else if (!isStarted) {
            isStarted = true;
            connection.start(heard);
          }
        }
        await connection.close();
        expect(budget.heldBytes).toBe(before);
      }),
      { numRuns: 100 },
    );
  });

  it('of another SDK are charged as well', async () => {
    const before = budget.heldBytes;
    const transport: SdkTransport = {
      start: () => Promise.resolve(),
      send: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
    const connection = await fromSdkTransport(transport).dial();
    transport.onmessage?.(note(1, { pad: 'x'.repeat(10_000) }));
    expect(budget.heldBytes - before).toBeGreaterThan(20_000);
    const heard = listener();
    connection.start(heard);
    await turn();
    expect(heard.messages).toHaveLength(1);
    expect(budget.heldBytes).toBe(before);
    await connection.close();
  });
});
