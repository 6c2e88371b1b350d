import type { Options } from './options.js';
import type { Plan } from './plan.js';
import type { BenchEra } from './requests.js';
import type { Setting } from './row.js';

const eras: readonly BenchEra[] = ['legacy', 'modern'];

/** All settings of a plan, in the order of the table. */
export function settingsOf(plan: Plan, { only }: Options): Setting[] {
  const settings: Setting[] = [];
  for (const transport of ['stdio', 'memory'] as const) {
    if (only !== undefined && only !== transport) continue;
    for (const era of eras) {
      for (const tools of plan.toolCounts) {
        for (const inFlight of plan.inFlight[transport]) settings.push({ transport, era, tools, inFlight });
      }
    }
  }
  return settings;
}
