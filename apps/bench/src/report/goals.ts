import type { Contestant, Row, Setting } from '../settings.js';
import type { Group, Summary } from './summary.js';

/** A goal, compared with what was measured. */
interface GoalResult {
  readonly text: string;
  readonly met: boolean;
}

/** What is aimed at: a share of the floor's CPU, and how many times cheaper than an official SDK. */
interface Limit {
  readonly ofFloor?: number;
  readonly cheaper?: readonly [than: Contestant, times: number];
}

const limits: Partial<Record<Setting['transport'], Partial<Record<NonNullable<Row['heat']>, Limit>>>> = {
  stdio: {
    warm: { ofFloor: 1.4, cheaper: ['v2', 5] },
    cold: { ofFloor: 2, cheaper: ['v2', 4.5] },
  },
  http: { warm: { ofFloor: 1.3, cheaper: ['v2', 8] } },
  fetch: { warm: { ofFloor: 3.5, cheaper: ['v2', 2.5] } },
  ws: { warm: { ofFloor: 1.3 } },
  sse: { warm: { cheaper: ['v1', 3] } },
};
const timesFaster = 10;
const bridgeMicros = 1_000;
const awaitedShare = 1.05;
const helpersShare = 1.03;
const authorizedShare = 1.05;
const chargedShare = 1.02;
const verifiedShare = 1.2;
const gatewayShare = 1.3;
const cliFloors: Readonly<Record<string, string>> = { '--version': 'node -e 0', call: 'the least script' };
const cliShares: Readonly<Record<string, number>> = { '--version': 1.5, call: 1.25 };
const mcporterShare = 0.5;
const heapLimits: Readonly<Record<string, number>> = {
  'without a socket': 2_048,
  'with an open stream': 8_192,
};

/** What is aimed at in this group, and whether it is reached. */
export function goalResults({ sample, summaries }: Group): GoalResult[] {
  const { heat, transport, phase } = sample;
  if (transport === 'gateway')
    return heat === 'warm'
      ? shareGoal(summaries.get('gateway'), summaries.get('bridge'), 'a bridge', gatewayShare)
      : [];
  const authorized = summaries.get('authorized');
  if (authorized !== undefined)
    return [
      ...shareGoal(authorized, summaries.get('rxmcp'), 'a call without a token', authorizedShare),
      ...shareGoal(authorized, summaries.get('floor'), 'bare jose', verifiedShare),
    ];
  const ours = summaries.get('rxmcp');
  if (ours === undefined || heat === undefined) return [];
  if (transport === 'sessions') return heapVerdict(ours.heapBytes, heapLimits[phase]);
  if (transport === 'cli')
    return [
      ...shareGoal(ours, summaries.get('floor'), cliFloors[phase] ?? '', cliShares[phase] ?? 1),
      ...(phase === 'call'
        ? shareGoal(ours, summaries.get('mcporter'), 'mcporter', mcporterShare, 'time')
        : []),
    ];
  if (transport === 'bridge') return bridgeVerdict(sample, ours, summaries.get('bridge'));
  if (transport === 'await')
    return shareGoal(summaries.get('awaited'), ours, 'a subscribed call', awaitedShare);
  if (transport === 'charge')
    return shareGoal(ours, summaries.get('uncharged'), 'an uncharged call', chargedShare);
  if (transport === 'helpers')
    return shareGoal(ours, summaries.get('by hand'), 'the form by hand', helpersShare);
  if (transport === 'start' || transport === 'types') return shareGoal(ours, summaries.get('v2'), 'v2', 1);
  if (transport === 'memory') {
    const v2 = summaries.get('v2');
    if (heat !== 'warm' || v2 === undefined) return [];
    const floor = summaries.get('floor');
    const floors = floor && floor.callsPerSecond / v2.callsPerSecond;
    return [
      comparedWithFloor(ours.callsPerSecond / v2.callsPerSecond, timesFaster, 'the calls/s of v2', floors),
    ];
  }
  const { ofFloor, cheaper } = limits[transport]?.[heat] ?? {};
  const verdicts: GoalResult[] = [];
  const floor = summaries.get('floor');
  if (ofFloor !== undefined && floor !== undefined) {
    const share = ours.cpuMicros / floor.cpuMicros;
    verdicts.push({
      text: `${share.toFixed(2)}x the CPU of the floor (goal: at most ${ofFloor.toFixed(1)}x)`,
      met: share <= ofFloor,
    });
  }
  const other = cheaper && summaries.get(cheaper[0]);
  if (cheaper !== undefined && other !== undefined) {
    const [than, times] = cheaper;
    const floors = floor && other.cpuMicros / floor.cpuMicros;
    verdicts.push(comparedWithFloor(other.cpuMicros / ours.cpuMicros, times, `cheaper than ${than}`, floors));
  }
  return verdicts;
}

function shareGoal(
  measured: Summary | undefined,
  base: Summary | undefined,
  name: string,
  goal: number,
  what: 'CPU' | 'time' = 'CPU',
): GoalResult[] {
  if (measured === undefined || base === undefined) return [];
  const figure = what === 'CPU' ? 'cpuMicros' : 'p50Micros';
  const share = measured[figure] / base[figure];
  const text = `${share.toFixed(2)}x the ${what} of ${name} (goal: at most ${goal.toFixed(2)}x)`;
  return [{ text, met: share <= goal }];
}

function bridgeVerdict({ heat, inFlight }: Row, direct: Summary, bridged: Summary | undefined): GoalResult[] {
  // With many in flight a call mostly waits for the others, on either way.
  if (heat !== 'warm' || inFlight > 1 || bridged === undefined) return [];
  const [p50, p99] = [bridged.p50Micros - direct.p50Micros, bridged.p99Micros - direct.p99Micros];
  const text = `the bridge adds ${p50.toFixed(1)} us at p50, ${p99.toFixed(1)} us at p99 (goal: less than ${bridgeMicros} us at p99)`;
  return [{ text, met: p99 < bridgeMicros }];
}

function heapVerdict(bytes: number, goal: number | undefined): GoalResult[] {
  if (goal === undefined) return [];
  const text = `${Math.round(bytes)} bytes of heap per session (goal: at most ${goal})`;
  return [{ text, met: bytes <= goal }];
}

/** A goal that the floor, the least JavaScript that answers, may miss as well; `floors` is the floor's own ratio. */
function comparedWithFloor(
  times: number,
  goal: number,
  what: string,
  floors: number | undefined,
): GoalResult {
  const aside = floors === undefined ? '' : `, the floor is ${floors.toFixed(1)}x`;
  const isBeyond = floors !== undefined && floors < goal;
  const text = `${times.toFixed(1)}x ${what}${aside} (goal: at least ${goal.toFixed(1)}x)`;
  return { text: isBeyond ? `${text}, which the floor misses too` : text, met: times >= goal };
}
