import { rejectUnknownOptions } from '@rxmcp/transport/internal';
import type { Connection } from '@rxmcp/transport';
import { assert } from './assert.js';
import type { AcceptsAt, Fixture } from './fixture.js';

const ways: ReadonlySet<string> = new Set<AcceptsAt>(['dial', 'session', 'endpoint']);

const knownMembers: Record<keyof Fixture, true> = {
  transport: true,
  close: true,
  injectFrame: true,
  notInjectable: true,
  cut: true,
  otherCuts: true,
  relay: true,
  acceptsAt: true,
  openSession: true,
  prepare: true,
  cutLane: true,
  resumesLanes: true,
  firstMessageTimeoutMs: true,
  pausesReading: true,
  residue: true,
  closeIdle: true,
};

/** Fails with a message for the fixture's author where `serve` resolved with something that is not a fixture. */
export function checkFixture(fixture: Partial<Fixture> | undefined): asserts fixture is Fixture {
  const dial = fixture?.transport?.dial as unknown;
  assert(
    typeof dial === 'function',
    "the fixture's `serve` resolved without a `transport` that has a `dial`",
  );
  assert(typeof fixture?.close === 'function', "the fixture's `serve` resolved without a `close`");
  // As TypeScript does, which accepts more members of an instance of a class.
  if (Object.getPrototypeOf(fixture) === Object.prototype)
    rejectUnknownOptions('the fixture of verifyTransport', fixture, knownMembers, {
      accepts: 'acceptsAt',
      dress: 'prepare',
      garbage: 'injectFrame',
      open: 'openSession',
      resumes: 'resumesLanes',
      dropIdle: 'closeIdle',
    });
  const { acceptsAt = 'dial', openSession } = fixture;
  assert(ways.has(acceptsAt), `the fixture's \`acceptsAt\` is ${JSON.stringify(acceptsAt)}`);
  assert(
    acceptsAt !== 'session' || openSession !== undefined,
    'the fixture has `acceptsAt: "session"` and no `openSession`',
  );
}

/** Fails on a value that is not a connection, such as the result of a forgotten `return`. */
export function checkConnection(
  connection: Partial<Connection> | undefined,
): asserts connection is Connection {
  assert(
    typeof connection === 'object' && connection !== null,
    `the fixture's \`transport.dial\` resolved with ${String(connection)}, which is not a Connection`,
  );
  for (const name of ['start', 'send', 'endLane', 'close'] as const) {
    const lacks = `the fixture's \`transport.dial\` resolved with a Connection that has no \`${name}\``;
    assert(typeof connection[name] === 'function', lacks);
  }
}

/** Returns the result of a part of the fixture. The message of a failure names the part. */
export async function callFixtureHook<T>(part: string, call: () => Promise<T> | T): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`the fixture's \`${part}\` failed: ${reason}`, { cause });
  }
}
