import { EventEmitter } from 'node:events';
import { ContractViolationError, verifyApplicableRules, type VerifyOptions } from '@rxmcp/transport-tck';
import { afterAll, describe, expect, test } from 'vitest';
import { http } from './http.js';
import { inMemory } from './in-memory.js';
import { sse } from './sse.js';
import { stdio } from './stdio.js';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import type { Subject } from './subject.js';
import { brokenLaws } from './table.js';
import { webSocket } from './web-socket.js';

/*
 * The transports of the official SDKs, through `fromSdkTransport` and `serveSdkTransport`. The table in the README of the
 * kit says what they break, and is held to it in both directions.
 */

const all: readonly Subject[] = [...stdio, ...http, sse, webSocket, ...inMemory];
const names = new Set(all.map(({ name }) => name));
/** Their versions are pinned, so that `npm test` tries our adapters only; those of the platform's wires are tried in an exhaustive run. */
const adapted = new Set(['InMemory v2']);
const subjects = exhaustive ? all : all.filter(({ name }) => adapted.has(name));
const broken = brokenLaws();
/** A rule that is known to be broken is not waited for as long as one that may hold. */
const impatient: VerifyOptions = { stepTimeoutMs: 300, closeTimeoutMs: 600 };
/** What breaks by a race, as two posts that pass each other, may hold now and then; seen broken once, it is broken. */
const tries = 20;
/** Where a machine is slow, each try that holds may take seconds. */
const triesMs = 90_000;
/** Each dial of a child starts a process, and each message of an official HTTP client is a request that takes its time. */
const patient: VerifyOptions = { ruleTimeoutMs: 60_000, stepTimeoutMs: 8_000 };

// Their clients add a listener for each message in flight, of which the kit sends thousands; Node warns of eleven.
const usual = EventEmitter.defaultMaxListeners;
EventEmitter.defaultMaxListeners = 0;
afterAll(() => {
  EventEmitter.defaultMaxListeners = usual;
});

test('the table has a column for each', () => {
  expect([...broken.keys()]).toEqual([...names]);
});

describe.each(subjects)('$name', async ({ name, serve, remote = false }) => {
  const itsBroken = broken.get(name) ?? new Set<string>();
  const isBroken = (law: string): boolean => itsBroken.has(law.slice(0, law.indexOf(':')));
  const options: VerifyOptions = { outOfProcess: remote, report: () => undefined };

  await verifyApplicableRules({
    test: (law, run) => !isBroken(law) && test(law, run, 15_000),
    serve,
    options: { ...options, ...patient },
  });
  await verifyApplicableRules({
    test: (law, run) =>
      isBroken(law) &&
      test(
        `broken: ${law}`,
        async () => expect(await breach(run)).toBeInstanceOf(ContractViolationError),
        triesMs,
      ),
    serve,
    options: { ...options, ...(remote && patient), ...impatient },
  });
});

/** With what it failed, or nothing where it held every time. */
async function breach(run: () => Promise<void>): Promise<unknown> {
  for (let left = tries; left > 0; left -= 1) {
    try {
      await run();
    } catch (error) {
      return error;
    }
  }
  return undefined;
}
