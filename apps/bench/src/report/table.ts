import type { Row } from '../settings.js';
import { goalResults } from './goals.js';
import { type Group, groupsOf, type Summary } from './summary.js';

/** How a group is shown. */
interface View {
  readonly title: (sample: Row) => string;
  readonly header: readonly string[];
  readonly cells: (summary: Summary, floor: Summary | undefined, v2: Summary | undefined) => string[];
}

const calls: View = {
  title: ({ transport, era, tools, inFlight, phase, calls }) =>
    `${transport}, ${era}, ${count(tools, 'tool')}, ${inFlight} in flight: ${calls.toLocaleString('en')} calls, ${phase}`,
  header: ['', 'CPU us/call', 'spread', 'x floor', 'calls/s', 'p50 us', 'p99 us'],
  cells: cellsOf,
};
const longLine: View = {
  title: ({ transport, era, phase }) => `${transport}, ${era}: ${phase}`,
  header: ['', 'time to read', 'spread', 'x floor', 'CPU'],
  cells: longCells,
};
const sessions: View = {
  title: ({ era, tools, phase, calls }) =>
    `${calls.toLocaleString('en')} idle sessions, ${era}, ${count(tools, 'tool')}, ${phase}`,
  header: ['', 'heap bytes', 'CPU us to open'],
  cells: ({ contestant, heapBytes, cpuMicros }) => [
    contestant,
    Math.round(heapBytes).toLocaleString('en'),
    cpuMicros.toFixed(0),
  ],
};
const start: View = {
  title: ({ phase, tools }) =>
    `start of a server over stdio, ${phase}, until the response to tools/list, ${count(tools, 'tool')}`,
  header: ['', 'CPU ms', 'spread', 'x v2', 'time ms'],
  cells: ({ contestant, rounds, cpuMicros, cpuSpread, p50Micros }, _, v2) => [
    contestant,
    ...shareCells(cpuMicros, rounds, cpuSpread, v2),
    (p50Micros / 1_000).toFixed(0),
  ],
};
const cli: View = {
  title: ({ phase }) => `rxmcp ${phase}, with all its processes`,
  header: ['', 'CPU ms', 'spread', 'x floor', 'time ms'],
  cells: ({ contestant, rounds, cpuMicros, cpuSpread, p50Micros }, floor) => [
    contestant,
    ...shareCells(cpuMicros, rounds, cpuSpread, floor),
    (p50Micros / 1_000).toFixed(0),
  ],
};
const types: View = {
  title: ({ tools }) => `type check of ${count(tools, 'tool')} and as many calls, on one thread`,
  header: ['', 'check ms', 'spread', 'x v2', 'total ms', 'instantiations'],
  cells: ({ contestant, rounds, cpuMicros, cpuSpread, p50Micros, calls: instantiations }, _, v2) => [
    contestant,
    ...shareCells(cpuMicros, rounds, cpuSpread, v2),
    (p50Micros / 1_000).toFixed(0),
    instantiations.toLocaleString('en'),
  ],
};

/** The rows as a table: for each setting and phase the contestants side by side, then the goals. */
export function tableOf(rows: readonly Row[]): string {
  return groupsOf(rows).map(section).join('\n');
}

function section(group: Group): string {
  const { sample, summaries } = group;
  const { title, header, cells } = viewOf(sample);
  const floor = summaries.get('floor');
  const lines = [...summaries.values()].map((summary) => cells(summary, floor, summaries.get('v2')));
  const tag = sample.transport === 'sessions' ? '' : `${sample.heat}: `;
  const goals = goalResults(group).map(({ text, met }) => `  ${met ? 'met   ' : 'missed'} ${tag}${text}`);
  return [title(sample), ...aligned([header, ...lines]), ...goals, ''].join('\n');
}

function viewOf({ transport }: Row): View {
  if (transport === 'start') return start;
  if (transport === 'cli') return cli;
  if (transport === 'types') return types;
  if (transport === 'sessions') return sessions;
  return transport === 'long line' ? longLine : calls;
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

function shareCells(
  cpuMicros: number,
  rounds: number,
  cpuSpread: number,
  base: Summary | undefined,
): string[] {
  return [
    (cpuMicros / 1_000).toFixed(0),
    rounds > 1 ? `${(cpuSpread * 100).toFixed(0)} %` : '-',
    base === undefined ? '-' : `${(cpuMicros / base.cpuMicros).toFixed(2)}x`,
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
