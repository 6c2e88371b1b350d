import type { Plan } from '../plan.js';
import type { Row } from '../row.js';
import { verdictsOf } from './goals.js';
import { type Group, groupsOf, type Summary } from './summary.js';

const header = ['', 'CPU us/call', 'spread', 'x floor', 'calls/s', 'p50 us', 'p99 us'];
const longHeader = ['', 'time to read', 'spread', 'x floor', 'CPU'];

/** The rows as a table: for each setting and phase the contestants side by side, then the goals. */
export function tableOf(rows: readonly Row[], plan: Plan): string {
  return groupsOf(rows)
    .map((group) => section(group, plan))
    .join('\n');
}

function section(group: Group, plan: Plan): string {
  const { transport, era, tools, inFlight, phase, calls } = group.sample;
  const floor = group.summaries.get('floor');
  const long = transport === 'long line';
  const title = long
    ? `${transport}, ${era}: ${phase}`
    : `${transport}, ${era}, ${count(tools, 'tool')}, ${inFlight} in flight: ${calls.toLocaleString('en')} calls, ${phase}`;
  const cells = [...group.summaries.values()].map((summary) =>
    long ? longCells(summary, floor) : cellsOf(summary, floor),
  );
  const heat = plan.phases.find(({ name }) => name === phase)?.heat;
  const verdicts = heat === undefined ? [] : verdictsOf(group, heat);
  const goals = verdicts.map(({ text, met }) => `  ${met ? 'met   ' : 'missed'} ${heat}: ${text}`);
  return [title, ...aligned([long ? longHeader : header, ...cells]), ...goals, ''].join('\n');
}

function cellsOf(summary: Summary, floor: Summary | undefined): string[] {
  const { contestant, rounds, cpuMicros, cpuSpread, callsPerSecond, p50Micros, p99Micros } = summary;
  return [
    contestant,
    cpuMicros.toFixed(2),
    rounds > 1 ? `${(cpuSpread * 100).toFixed(0)} %` : '-',
    floor === undefined ? '-' : `${(cpuMicros / floor.cpuMicros).toFixed(2)}x`,
    Math.round(callsPerSecond).toLocaleString('en'),
    micros(p50Micros),
    micros(p99Micros),
  ];
}

function longCells(
  { contestant, rounds, cpuMicros, cpuSpread, p50Micros }: Summary,
  floor: Summary | undefined,
): string[] {
  return [
    contestant,
    `${(p50Micros / 1_000).toFixed(0)} ms`,
    rounds > 1 ? `${(cpuSpread * 100).toFixed(0)} %` : '-',
    floor === undefined ? '-' : `${(p50Micros / floor.p50Micros).toFixed(2)}x`,
    `${(cpuMicros / 1_000).toFixed(0)} ms`,
  ];
}

function micros(value: number): string {
  return Number.isFinite(value) ? value.toFixed(1) : '-';
}

function count(value: number, noun: string): string {
  return `${value.toLocaleString('en')} ${noun}${value === 1 ? '' : 's'}`;
}

/** The first column to the left, all others to the right. */
function aligned(lines: readonly (readonly string[])[]): string[] {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines.map((line) =>
    line
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .replace(/^/, '  ')
      .trimEnd(),
  );
}
