import type { Phase } from '../plan.js';
import type { Group } from './summary.js';

/** A goal beside what was measured. */
export interface Verdict {
  readonly text: string;
  readonly met: boolean;
}

const limits = {
  warm: { ofFloor: 1.4, cheaper: 5 },
  cold: { ofFloor: 2, cheaper: 4.5 },
};
const timesFaster = 10;

/** What is aimed at in this group, and whether it is reached. In memory only warm calls have a goal. */
export function verdictsOf({ sample, summaries }: Group, heat: Phase['heat']): Verdict[] {
  const floor = summaries.get('floor');
  const v2 = summaries.get('v2');
  const ours = summaries.get('rxmcp');
  if (heat === 'first' || ours === undefined || floor === undefined || v2 === undefined) return [];
  if (sample.transport === 'memory') {
    if (heat === 'cold') return [];
    return [atLeast(ours.callsPerSecond / v2.callsPerSecond, timesFaster, 'the calls/s of v2')];
  }
  if (sample.transport !== 'stdio') return [];
  const { ofFloor, cheaper } = limits[heat];
  const share = ours.cpuMicros / floor.cpuMicros;
  return [
    {
      text: `${share.toFixed(2)}x the CPU of the floor (goal: at most ${ofFloor.toFixed(1)}x)`,
      met: share <= ofFloor,
    },
    atLeast(
      v2.cpuMicros / ours.cpuMicros,
      cheaper,
      `cheaper than v2, the floor is ${(v2.cpuMicros / floor.cpuMicros).toFixed(1)}x`,
    ),
  ];
}

function atLeast(times: number, goal: number, what: string): Verdict {
  return { text: `${times.toFixed(1)}x ${what} (goal: at least ${goal.toFixed(1)}x)`, met: times >= goal };
}
