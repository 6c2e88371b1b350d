import type { Lane } from '@rxmcp/transport';
import { assert, RuleSkipped } from '../base/assert.js';
import { callFixtureHook } from '../fixture/check-fixture.js';
import { quiet } from '../base/clock.js';
import { frameInjector } from '../fixture/frame-injector.js';
import { closedOn, type ConnectionProbe } from './connection-probe.js';
import type { Harness } from './harness.js';

type Towards = 'served' | 'dialled';

/**
 * Returns a function that sends one frame through the fixture's `injectFrame` hook, after checking that the hook works. It
 * resolves with the error code with which the transport answered the frame, if it answered.
 */
export async function injectFrames(
  harness: Harness,
  towards: Towards,
  end: ConnectionProbe,
): Promise<(frame: string | Uint8Array) => Promise<number | undefined>> {
  const inject = async (frame: string | Uint8Array): Promise<number | undefined> => {
    const injected = await harness.within(
      Promise.resolve(frameInjector(harness.fixture)?.(towards, frame)),
      "the fixture's `injectFrame` hook to resolve",
    );
    if (injected === false) throw new RuleSkipped("the fixture's `injectFrame` hook cannot carry this frame");
    return typeof injected === 'object' ? injected.errorCode : undefined;
  };
  const before = end.deliveries.length;
  await inject('{"jsonrpc":"2.0","method":"tck/hook"}');
  const arrived = await harness.holds(() => end.deliveries.length > before);
  assert(
    arrived,
    `the fixture's \`injectFrame\` hook had no effect: a valid message injected towards '${towards}' did not arrive there`,
  );
  end.deliveries.length = 0;
  return inject;
}

/** Begins to cut the newest connection, without waiting: rules call it inside `received`. */
export function beginCut(harness: Harness): Promise<void> {
  const { fixture } = harness;
  return Promise.resolve(fixture.cut === undefined ? fixture.relay?.cut() : fixture.cut());
}

/** Waits until one side notices a cut. Blames the hook where it has no effect. @param hook Its name; the default is `cut`. */
export async function expectConnectionLoss(
  harness: Harness,
  cutting: Promise<void>,
  client: ConnectionProbe,
  served: readonly ConnectionProbe[] = harness.accepted.slice(-1),
  hook = 'cut',
): Promise<void> {
  await harness.within(cutting, `the fixture's \`${hook}\` hook to resolve`);
  const ends = [client, ...served];
  const { lossMs } = harness.timeouts;
  const shown = await harness.holds(() => ends.some(({ closes }) => closes.length > 0), lossMs);
  const sides =
    ends.length === 1
      ? 'the dialling side was not notified of an end'
      : 'neither side was notified of an end';
  assert(shown, `the fixture's \`${hook}\` hook had no effect: ${sides}`);
  for (const end of ends) await harness.until(() => end.closes.length > 0, closedOn(end), lossMs);
  await quiet();
}

/** Cuts the newest lane and waits until one side notices. Blames the hook where it has no effect. */
export async function expectLaneLoss(harness: Harness, client: ConnectionProbe, lane: Lane): Promise<void> {
  const notifications = (): number =>
    client.endsOf(lane).length + harness.accepted.flatMap(({ lanesClosed }) => lanesClosed).length;
  const before = notifications();
  await cutNewestLane(harness);
  const shown = await harness.holds(() => notifications() > before, harness.timeouts.lossMs);
  assert(shown, "the fixture's `cutLane` hook had no effect: no side was notified of the end of a lane");
}

/** Cuts the newest lane. */
export async function cutNewestLane(harness: Harness): Promise<void> {
  await harness.within(
    callFixtureHook('cutLane', () => harness.fixture.cutLane?.()),
    "the fixture's `cutLane` hook to resolve",
  );
}
