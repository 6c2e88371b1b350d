import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Exchange } from '../../src/peer/exchange.js';
import { sharedLimitsOf } from '../../src/peer/limits.js';
import { FairAdmission } from '../../src/server/shared-admission.js';
import { rounds } from '../../../../vitest.rounds.js';

const limits = sharedLimitsOf({
  maxConcurrentRequests: 4,
  maxQueuedRequests: 6,
  perCaller: { maxConcurrentRequests: 2, maxQueuedRequests: 3 },
  allAnonymous: { maxConcurrentRequests: 3, maxQueuedRequests: 4 },
});
const callers = ['principal ada', 'principal bob', 'address a', 'address b', 'address c'];

interface Asked {
  readonly name: string;
  readonly exchange: Exchange;
}

function asked(name: string): Asked {
  const principal = name.startsWith('principal') ? name.slice(10) : undefined;
  const exchange = {
    caller: { principal },
    receiveInfo: { holder: name },
    admitted: false,
    scope: undefined,
  };
  return { name, exchange: exchange as unknown as Exchange };
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...callers) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 20 }) },
);

it('no share is exceeded, and no request waits for a place that is free, after any sequence', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const ran: Exchange[] = [];
      const admission = new FairAdmission(limits, { run: (exchange) => void ran.push(exchange) });
      const open: Asked[] = [];
      const of = (kind: string, admitted: boolean): number =>
        open.filter(({ name, exchange }) => name.startsWith(kind) && exchange.admitted === admitted).length;
      const hasRoom = (name: string): boolean =>
        of('', true) < 4 && of(name, true) < 2 && (name.startsWith('principal') || of('address', true) < 3);
      const canQueue = (name: string): boolean =>
        of('', false) < 6 &&
        of(name, false) < 3 &&
        (name.startsWith('principal') || of('address', false) < 4);
      for (const one of steps) {
        if (typeof one === 'string') {
          const request = asked(one);
          const takes = hasRoom(one) || canQueue(one);
          expect(admission.admit(request.exchange)).toBe(takes);
          if (takes) open.push(request);
          else admission.release(request.exchange);
        } else {
          const [ended] = open.splice(one % Math.max(1, open.length), 1);
          if (ended !== undefined) admission.release(ended.exchange);
        }
        expect(admission.queued).toBe(of('', false));
        expect(of('', true)).toBeLessThanOrEqual(4);
        expect(of('address', true)).toBeLessThanOrEqual(3);
        for (const name of callers) {
          expect(of(name, true)).toBeLessThanOrEqual(2);
          if (of(name, false) > 0) expect(hasRoom(name)).toBe(false);
        }
      }
      for (let ended = open.shift(); ended !== undefined; ended = open.shift())
        admission.release(ended.exchange);
      expect(admission.queued).toBe(0);
      expect(new Set(ran).size).toBe(ran.length);
    }),
    { numRuns: rounds(300) },
  );
});

it('callers that only wait and leave are forgotten', () => {
  const admission = new FairAdmission(limits, { run: () => undefined });
  for (let caller = 0; caller < 4; caller += 1) admission.admit(asked(`principal ${caller}`).exchange);
  for (let caller = 0; caller < 5_000; caller += 1) {
    const { exchange } = asked(`address ${caller}`);
    expect(admission.admit(exchange)).toBe(true);
    admission.release(exchange);
  }
  expect(admission.callers.size).toBeLessThanOrEqual(1_024 + 4);
  expect(admission.anonymous.waiting.size).toBe(0);
});
