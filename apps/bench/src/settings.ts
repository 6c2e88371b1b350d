import type { Contestant } from './contestants.js';
import { contestants } from './contestants.js';
import type { Options } from './options.js';
import type { Phase, Plan } from './plan.js';
import type { Setting } from './row.js';

/** Those who speak an era over a transport. */
export function speakersOf({ transport, era }: Pick<Setting, 'transport' | 'era'>): readonly Contestant[] {
  const speaks = carriers[transport] ?? contestants;
  return speaks.filter((one) => one !== 'v1' || era === 'legacy');
}

// v2 has no WebSocket and serves no HTTP+SSE, v1 only has its client of WebSocket.
const carriers: Partial<Record<Setting['transport'], readonly Contestant[]>> = {
  fetch: ['floor', 'v2', 'rxmcp'],
  ws: ['floor', 'rxmcp'],
  sse: ['floor', 'v1', 'rxmcp'],
  bridge: ['rxmcp', 'bridge'],
};

const transports = ['stdio', 'memory', 'bridge', 'http', 'fetch', 'ws', 'sse'] as const;

/** A setting in which calls are measured. */
export interface CallSetting extends Setting {
  readonly transport: (typeof transports)[number];
}

/** All settings of a plan, in the order of the table. */
export function settingsOf({ scopes }: Plan, { only }: Options): CallSetting[] {
  const settings: CallSetting[] = [];
  for (const transport of transports) {
    if (only !== undefined && only !== transport) continue;
    const { eras, toolCounts, inFlight: numbers, lone = Infinity } = scopes[transport];
    for (const era of eras) {
      for (const tools of toolCounts) {
        for (const inFlight of numbers) {
          if (inFlight > 1 || tools <= lone) settings.push({ transport, era, tools, inFlight });
        }
      }
    }
  }
  return settings;
}

/** What is measured of a contestant in a setting, in this order on one connection. */
export function phasesOf(plan: Plan, setting: CallSetting, contestant: Contestant): readonly Phase[] {
  const { transport, era, tools } = setting;
  if (transport === 'stdio' || transport === 'memory' || transport === 'bridge') return plan.phases;
  // It makes all its tools anew with each call of this kind, which warms its code as quickly as it takes long.
  const isSlow = contestant === 'v2' && era === 'modern' && tools > 1;
  if (!isSlow) return plan.netPhases;
  return plan.netPhases.map((phase) => ({ ...phase, after: phase.after / 10, calls: phase.calls / 10 }));
}
