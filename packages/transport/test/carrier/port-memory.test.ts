import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { type CarrierEvents, fromMessages, processMemory } from '../../src/index.js';
import { listener, note, turn } from '../loop.js';

const budget = processMemory();

/** A carrier whose other side is the test. */
function carried(holder?: string) {
  const posted: string[] = [];
  let events: CarrierEvents | undefined;
  const connection = fromMessages(
    {
      post: (text) => void posted.push(text),
      measure: (value) => JSON.stringify(value).length,
      listen: (given) => {
        events = given;
        return () => undefined;
      },
    },
    {
      heartbeatIntervalMs: Infinity,
      closeTimeoutMs: 0,
      ...(holder === undefined ? {} : { traits: { holder } }),
    },
  );
  return { connection, posted, events: events as CarrierEvents, heard: listener() };
}
const read = (messages: number): string => JSON.stringify({ rxmcp: 'read', messages });

describe('the messages of a carrier that accepts everything', () => {
  it('are charged where they wait for the start', async () => {
    const before = budget.heldBytes;
    const { connection, events, heard } = carried('principal ada');
    events.message(JSON.stringify(note(1, { pad: 'x'.repeat(10_000) })));
    events.message(note(2, { pad: 'x'.repeat(10_000) }));
    expect(budget.heldBytes - before).toBeGreaterThan(40_000);
    expect(budget.stats().largest.map(({ holder }) => holder)).toContain('principal ada');
    connection.start(heard);
    await vi.waitUntil(() => heard.messages.length === 2);
    expect(budget.heldBytes).toBe(before);
    await connection.close();
  });

  it('are charged where the other side has not read them', async () => {
    const before = budget.heldBytes;
    const { connection, events, heard } = carried();
    connection.start(heard);
    for (let at = 0; at < 4; at += 1) void connection.send(note(at, { pad: 'x'.repeat(20_000) }));
    expect(budget.heldBytes - before).toBeGreaterThanOrEqual(80_000);
    events.message(read(4));
    expect(budget.heldBytes).toBe(before);
    await connection.close();
  });

  it('leave no charge behind, after any sequence', async () => {
    const step = fc.oneof(
      fc.record({ does: fc.constantFrom('arrive', 'value', 'send'), length: fc.nat({ max: 40_000 }) }),
      fc.record({
        does: fc.constantFrom('read', 'start', 'bye', 'closed', 'close'),
        length: fc.nat({ max: 5 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const before = budget.heldBytes;
        const { connection, events, heard } = carried();
        let isStarted = false;
        for (const { does, length } of steps) {
          const message = note(1, { pad: 'x'.repeat(length) });
          if (does === 'arrive') events.message(JSON.stringify(message));
          else if (does === 'value') events.message(message);
          else if (does === 'send') connection.send(message).catch(() => undefined);
          else if (does === 'read') events.message(read(length));
          else if (does === 'bye') events.message(JSON.stringify({ rxmcp: 'bye' }));
          else if (does === 'closed') events.closed();
          else if (does === 'close') void connection.close();
          else if (!isStarted) {
            isStarted = true;
            connection.start(heard);
          }
        }
        await connection.close();
        await turn();
        expect(budget.heldBytes).toBe(before);
      }),
      { numRuns: 200 },
    );
  });
});
