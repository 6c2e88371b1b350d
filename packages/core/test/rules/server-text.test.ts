import { describe, expect, it } from 'vitest';
import type { Fault } from '../../src/index.js';
import { offerMethod } from '../../src/index.js';
import { connected, rawServer } from '../rig/raw-server.js';
import { turn } from '../rig/turn.js';

/** A name that fills a log, steers a terminal and turns the direction of what follows. */
const evil = `\u001b[2J\u202e\n${'x'.repeat(1_000_000)}`;
const never = offerMethod('x/never', {}, () => new Promise<never>(() => undefined));

/** What a client reports about these messages. */
async function said(era: 'modern' | 'legacy', ...messages: object[]): Promise<Fault[]> {
  const server = rawServer(() => undefined, { era });
  const remote = await connected(server, { offers: [never] });
  const faults: Fault[] = [];
  remote.faults$.subscribe((fault) => faults.push(fault));
  for (const message of messages) server.pipes[0]?.put({ jsonrpc: '2.0', ...message });
  await turn();
  return faults;
}

describe('text that a server chose, in messages of a client', () => {
  it.each([
    ['a notification without a handler', 'UNKNOWN_NOTIFICATION', 'modern', [{ method: evil }]],
    ['a request in the modern era', 'UNEXPECTED_REQUEST', 'modern', [{ id: 1, method: evil }]],
    [
      'an id that is in flight already',
      'DUPLICATE_ID',
      'legacy',
      [
        { id: '\u202eid', method: 'x/never' },
        { id: '\u202eid', method: 'x/never' },
      ],
    ],
  ] as const)('is short and printable for %s', async (_what, code, era, messages) => {
    const faults = await said(era, ...messages);
    expect(faults.map((fault) => fault.code)).toEqual([code]);
    expect(faults[0]?.message.length).toBeLessThan(400);
    expect(faults[0]?.message).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  });
});
