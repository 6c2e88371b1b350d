import { describe, expect, it } from 'vitest';
import type { Contestant, Row } from '../src/settings.js';
import { parseOptions } from '../src/options.js';
import { fullPlan } from '../src/plan.js';
import { csvOf } from '../src/report/csv.js';
import { median, quantile, spread } from '../src/report/statistics.js';
import { tableOf } from '../src/report/table.js';
import { phasesOf, settingsOf } from '../src/settings.js';

describe('statistics', () => {
  it('takes the middle, the mean of two middles, and a quantile', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(quantile([5, 1, 4, 2, 3], 0.5)).toBe(3);
    expect(quantile([], 0.5)).toBeNaN();
    expect(spread([8, 10, 12])).toBeCloseTo(0.4);
  });
});

describe('the report', () => {
  it('puts the median of the rounds next to the floor and judges it by the goals', () => {
    const rows = [
      ...rounds('floor', [10, 9, 11]),
      ...rounds('v2', [80, 90, 100]),
      ...rounds('rxmcp', [13, 20, 12]),
    ];
    const table = tableOf(rows);
    expect(table).toContain('stdio, modern, 1 tool, 64 in flight: 10,000 calls, after 30,000');
    expect(table).toMatch(/rxmcp +13\.00 +62 % +1\.30x/);
    expect(table).toContain('met    warm: 1.30x the CPU of the floor (goal: at most 1.4x)');
    expect(table).toContain('met    warm: 6.9x cheaper than v2, the floor is 9.0x (goal: at least 5.0x)');
  });

  it('reports when the least of the answers misses a goal too', () => {
    const beside = (v2: number): string =>
      tableOf([...rounds('floor', [10]), ...rounds('v2', [v2]), ...rounds('rxmcp', [12])]);
    expect(beside(45)).toContain(
      'missed warm: 3.8x cheaper than v2, the floor is 4.5x (goal: at least 5.0x), which the floor misses too',
    );
    expect(beside(50)).not.toContain('which the floor misses too');
    const inMemory = (contestant: Contestant, callsPerSecond: number): Row[] =>
      rounds(contestant, [10]).map((row) => ({ ...row, transport: 'memory', callsPerSecond }));
    expect(tableOf([...inMemory('floor', 95), ...inMemory('v2', 10), ...inMemory('rxmcp', 91)])).toContain(
      'missed warm: 9.1x the calls/s of v2, the floor is 9.5x (goal: at least 10.0x), which the floor misses too',
    );
  });

  it('reports a missed goal', () => {
    const rows = [...rounds('floor', [10]), ...rounds('v2', [60]), ...rounds('rxmcp', [15])];
    const table = tableOf(rows);
    expect(table).toContain('missed warm: 1.50x the CPU of the floor');
    expect(table).toContain('missed warm: 4.0x cheaper than v2');
  });

  it('judges each transport by its own goals', () => {
    const over = (transport: Row['transport'], rows: readonly Row[]): string =>
      tableOf(rows.map((row) => ({ ...row, transport })));
    const rows = [
      ...rounds('floor', [10]),
      ...rounds('v1', [50]),
      ...rounds('v2', [90]),
      ...rounds('rxmcp', [12]),
    ];
    expect(over('http', rows)).toContain('missed warm: 7.5x cheaper than v2');
    expect(over('http', rows)).toContain('met    warm: 1.20x the CPU of the floor (goal: at most 1.3x)');
    expect(over('fetch', rows)).toContain(
      'met    warm: 7.5x cheaper than v2, the floor is 9.0x (goal: at least 2.5x)',
    );
    expect(over('ws', rows)).not.toContain('cheaper');
    expect(over('sse', rows.slice(1))).toContain('met    warm: 4.2x cheaper than v1 (goal: at least 3.0x)');
  });

  it('reports what a bridge adds', () => {
    const taking = (contestant: Contestant, p99Micros: number): Row[] =>
      rounds(contestant, [10]).map((row) => ({ ...row, transport: 'bridge', inFlight: 1, p99Micros }));
    const table = (added: number) => tableOf([...taking('rxmcp', 20), ...taking('bridge', 20 + added)]);
    expect(table(999)).toContain(
      'met    warm: the bridge adds 0.0 us at p50, 999.0 us at p99 (goal: less than 1000 us at p99)',
    );
    expect(table(1_000)).toContain('missed warm: the bridge adds 0.0 us at p50, 1000.0 us');
  });

  it('shows the memory of a session', () => {
    const weighed = (heapBytes: number, phase: string): Row[] =>
      rounds('rxmcp', [100]).map((row) => ({ ...row, transport: 'sessions', phase, heapBytes }));
    const table = tableOf([...weighed(1_500, 'without a socket'), ...weighed(9_000, 'with an open stream')]);
    expect(table).toMatch(/rxmcp +1,500 +100/);
    expect(table).toContain('met    1500 bytes of heap per session (goal: at most 2048)');
    expect(table).toContain('missed 9000 bytes of heap per session (goal: at most 8192)');
  });

  it('compares a start and a type check with v2, awaited calls with subscribed ones, charged with uncharged ones, and helpers with the form by hand', () => {
    const over = (transport: Row['transport'], rows: readonly Row[]): string =>
      tableOf(rows.map((row) => ({ ...row, transport, phase: 'bundled' })));
    const rows = [...rounds('v2', [200_000]), ...rounds('rxmcp', [190_000])];
    expect(over('start', rows)).toContain('start of a server over stdio, bundled');
    expect(over('start', rows)).toMatch(/rxmcp +190 +- +0\.95x/);
    expect(over('start', rows)).toContain('0.95x the CPU of v2 (goal: at most 1.00x)');
    expect(over('types', rows)).toMatch(/rxmcp +190 +- +0\.95x +0 +10,000/);
    expect(over('await', [...rounds('rxmcp', [100]), ...rounds('awaited', [106])])).toContain(
      'missed warm: 1.06x the CPU of a subscribed call (goal: at most 1.05x)',
    );
    expect(over('helpers', [...rounds('rxmcp', [102]), ...rounds('by hand', [100])])).toContain(
      '1.02x the CPU of the form by hand (goal: at most 1.03x)',
    );
    expect(over('charge', [...rounds('rxmcp', [103]), ...rounds('uncharged', [100])])).toContain(
      'missed warm: 1.03x the CPU of an uncharged call (goal: at most 1.02x)',
    );
  });

  it('writes what was not measured as an empty cell', () => {
    const [row] = rounds('floor', [10]);
    expect(csvOf([{ ...(row as Row), p50Micros: Number.NaN }]).split('\n')).toEqual([
      'transport,era,tools,in_flight,phase,contestant,round,calls,cpu_us_per_call,calls_per_s,p50_us,p99_us,heap_bytes',
      'stdio,modern,1,64,"after 30,000",floor,1,10000,10,50000,,20.500,',
      '',
    ]);
  });
});

it('does not judge first calls', () => {
  const rows = [...rounds('floor', [10]), ...rounds('v2', [60]), ...rounds('rxmcp', [15])];
  const first = rows.map((row) => ({ ...row, phase: 'the first 2,000', heat: 'first' as const }));
  expect(tableOf(first)).not.toMatch(/met|missed/);
});

describe('the command line', () => {
  it('takes --only and --quick, also behind a separator', () => {
    expect(parseOptions([])).toEqual({ only: undefined, quick: false });
    expect(parseOptions(['--', '--only', 'memory', '--quick'])).toEqual({ only: 'memory', quick: true });
  });

  it.each(['bridge', 'http', 'fetch', 'ws', 'sse', 'sessions', 'await', 'start', 'types'] as const)(
    'runs %s alone',
    (only) => {
      expect(parseOptions(['--only', only])).toEqual({ only, quick: false });
    },
  );

  it('rejects unknown input', () => {
    expect(() => parseOptions(['--only', 'udp'])).toThrow(
      '--only takes stdio, memory, bridge, gateway, http, fetch, ws, sse, sessions, await, helpers, auth, charge, start, cli, types, not "udp"',
    );
    expect(() => parseOptions(['--fast'])).toThrow();
  });
});

it('calls warm servers as often in each setting, and v2 less where a call takes long', () => {
  const settings = settingsOf(fullPlan, { only: 'http', quick: false });
  expect(settings.map(({ era, tools, inFlight }) => `${era} ${tools} ${inFlight}`)).toEqual(
    ['legacy', 'modern'].flatMap((era) => [`${era} 1 1`, `${era} 1 64`, `${era} 1000 64`]),
  );
  const calls = settings.map((setting) => phasesOf(fullPlan, setting, 'v2').at(-1)?.calls);
  expect(calls).toEqual([6_000, 6_000, 6_000, 6_000, 6_000, 600]);
});

function rounds(contestant: Contestant, cpu: readonly number[]): Row[] {
  return cpu.map((cpuMicros, index) => ({
    transport: 'stdio',
    era: 'modern',
    tools: 1,
    inFlight: 64,
    phase: 'after 30,000',
    heat: 'warm',
    contestant,
    round: index + 1,
    calls: 10_000,
    cpuMicros,
    callsPerSecond: 50_000,
    p50Micros: 10,
    p99Micros: 20.5,
  }));
}
