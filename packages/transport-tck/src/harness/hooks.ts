import type { Lane } from '@rxmcp/transport';
import { assert, RuleSkipped } from './assert.js';
import { callFixtureHook } from './check-fixture.js';
import { quiet } from './clock.js';
import type { ConnectionProbe } from './connection-probe.js';
import type { Harness } from './harness.js';

type Towards = 'served' | 'dialled';

/**
 * Sends frames through the rig's `injectFrame` hook, which was seen to work: what happens then is the transport's doing. Each
 * gives the code that its carrier answered with, if it did.
 */
export async function injectFrames(
  harness: Harness,
  towards: Towards,
  end: ConnectionProbe,
): Promise<(frame: string | Uint8Array) => Promise<number | undefined>> {
  const inject = async (frame: string | Uint8Array): Promise<number | undefined> => {
    const carried = await stage.within(
      Promise.resolve(stage.fixture.injectFrame?.(towards, frame)),
      "the rig's `injectFrame` hook to resolve",
    );
    if (carried === false) throw new RuleSkipped("the rig's `injectFrame` hook cannot carry this frame");
    return typeof carried === 'object' ? carried.answeredWith : undefined;
  };
  const before = end.deliveries.length;
  await inject('{"jsonrpc":"2.0","method":"tck/hook"}');
  const arrived = await harness.holds(() => end.deliveries.length > before);
  assert(
    arrived,
    `the rig's \`injectFrame\` hook had no effect: a sound message put in towards '${towards}' did not arrive there`,
  );
  end.deliveries.length = 0;
  return inject;
}

/** Begins to cut the newest connection, without waiting: rules call it inside `received`. */
export function beginCut(harness: Harness): Promise<void> {
  return Promise.resolve(harness.fixture.cut?.());
}

/** Waits until one side notices a cut. Blames the hook where it has no effect. */
export async function expectConnectionLoss(
  harness: Harness,
  cutting: Promise<void>,
  client: ConnectionProbe,
): Promise<void> {
  await harness.within(cutting, "the fixture's `cut` hook to resolve");
  const ends = [client, ...harness.accepted.slice(-1)];
  const shown = await harness.holds(() => ends.some(({ closes }) => closes.length > 0));
  const sides =
    ends.length === 1
      ? 'the dialling side was not notified of an end'
      : 'neither side was notified of an end';
  assert(shown, `the fixture's \`cut\` hook had no effect: ${sides}`);
  await quiet();
}

/** Cuts the newest lane and waits until that shows; a hook that does nothing is not the transport's fault. */
export async function expectLaneLoss(stage: Harness, client: ConnectionProbe, lane: Lane): Promise<void> {
  const told = (): number =>
    client.endsOf(lane).length + stage.accepted.flatMap(({ lanesClosed }) => lanesClosed).length;
  const before = told();
  await cutLane(stage);
  const shown = await stage.holds(() => told() > before);
  assert(shown, "the rig's `cutLane` hook had no effect: no side was told of the end of a lane");
}

/** Cuts the newest lane. */
export async function cutLane(stage: Harness): Promise<void> {
  await stage.within(
    callFixtureHook('cutLane', () => stage.fixture.cutLane?.()),
    "the rig's `cutLane` hook to resolve",
  );
}
