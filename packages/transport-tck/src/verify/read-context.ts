import { frameInjector } from '../fixture/frame-injector.js';
import type { Harness } from '../harness/harness.js';
import type { RuleContext } from '../rules/rule-context.js';

/** Opens a connection to read its traits, and looks at what the fixture has. @param outOfProcess Whether the served side runs in another process. */
export async function readContext(harness: Harness, outOfProcess: boolean): Promise<RuleContext> {
  const { fixture, acceptsAt } = harness;
  const alike = outOfProcess || acceptsAt === 'dial';
  const { client, served } = alike ? { client: await harness.open() } : await harness.pair();
  const { traits } = client.connection;
  const { notInjectable = [], cut, cutLane, relay } = fixture;
  // A session may outlive the socket that a relay cuts.
  const isCutByRelay = relay !== undefined && traits.lanes === 'shared' && acceptsAt === 'dial';
  return {
    traits,
    servedTraits: (served ?? client).connection.traits,
    acceptsAt,
    outOfProcess,
    canInjectFrame: frameInjector(fixture) !== undefined,
    notInjectable,
    canCut: cut !== undefined || isCutByRelay,
    hasOtherCuts: fixture.otherCuts !== undefined,
    relayed: relay?.wire,
    relaysFrames: relay?.frame !== undefined,
    hasResidue: fixture.residue !== undefined,
    firstMessageTimeoutMs: fixture.firstMessageTimeoutMs,
    pausesReading: fixture.pausesReading === true,
    canCutLane: cutLane !== undefined,
    resumesLanes: fixture.resumesLanes === true,
  };
}
