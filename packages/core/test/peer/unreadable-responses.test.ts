import { createConnection, pipeTraits, TransportError } from '@rxmcp/transport';
import { expect, it } from 'vitest';
import type { Fault } from '../../src/index.js';
import type { PeerHost } from '../../src/peer/peer.js';
import { Peer } from '../../src/peer/peer.js';

/** A peer with two calls in flight, over a carrier that sends nothing automatically. */
function calling() {
  const faults: Fault[] = [];
  const replied: TransportError[] = [];
  const ends: unknown[] = [];
  const nothing = (): void => undefined;
  const host: PeerHost = {
    request: nothing,
    notification: nothing,
    batch: nothing,
    dials: true,
    invalid: nothing,
    unreadable: (error) => replied.push(error),
    laneClosed: nothing,
    fault: (fault) => faults.push(fault),
    expired: nothing,
    over: nothing,
    wire: undefined,
  };
  const carrier = { start: nothing, send: nothing, close: nothing };
  const peer = new Peer(createConnection(carrier, pipeTraits), host, 10);
  const patience = { idleTimeoutMs: Infinity, totalTimeoutMs: Infinity };
  const begin = (method: string) =>
    peer.calls.start(method, () => undefined, patience, {
      result: () => ends.push(`${method} done`),
      failed: (error) => ends.push(error),
    });
  const unreadable = (respondsTo?: unknown): void => {
    const reply = { error: { code: -32600, message: 'no' } };
    const details = respondsTo === undefined ? {} : { respondsTo };
    peer.fault(
      new TransportError('INVALID_MESSAGE', 'the message nests deeper than 128', { reply, details }),
    );
  };
  return { faults, replied, ends, peer, first: begin('x/first'), second: begin('x/second'), unreadable };
}

it('a response that cannot be read ends its call at once, and no other; no response is sent to a response', () => {
  const { faults, replied, ends, peer, first, unreadable } = calling();
  unreadable(first.id);
  expect(ends).toMatchObject([
    {
      code: 'PROTOCOL_ERROR',
      message: expect.stringMatching(/"x\/first".*deeper than 128/),
      outcome: 'unknown',
    },
  ]);
  expect([peer.calls.size, faults.length, replied.length]).toEqual([1, 1, 0]);
});

it.each([[undefined], [99], ['1'], [{}], [null]])('one that names no call is a fault alone: %j', (id) => {
  const { faults, replied, ends, peer, unreadable } = calling();
  unreadable(id);
  expect([ends.length, peer.calls.size, faults.length]).toEqual([0, 2, 1]);
  expect(replied).toHaveLength(1);
});

it('a response that comes later is too late', () => {
  const { faults, ends, peer, first, unreadable } = calling();
  unreadable(first.id);
  peer.received({ jsonrpc: '2.0', id: first.id, result: {} });
  unreadable(first.id);
  expect([ends.length, faults.length]).toEqual([1, 2]);
});
