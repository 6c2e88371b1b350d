import { describe, expect, it } from 'vitest';
import type { Contestant } from '../src/contestants.js';
import { optionsOf } from '../src/options.js';
import { fullPlan } from '../src/plan.js';
import { csvOf } from '../src/report/csv.js';
import { median, quantile, spread } from '../src/report/statistics.js';
import { tableOf } from '../src/report/table.js';
import type { Row } from '../src/row.js';

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
  it('puts the median of the rounds beside the floor and judges it by the goals', () => {
    const rows = [
      ...rounds('floor', [10, 9, 11]),
      ...rounds('v2', [80, 90, 100]),
      ...rounds('rxmcp', [13, 20, 12]),
    ];
    const table = tableOf(rows, fullPlan);
    expect(table).toContain('stdio, modern, 1 tool, 64 in flight: 10,000 calls, after 30,000');
    expect(table).toMatch(/rxmcp +13\.00 +62 % +1\.30x/);
    expect(table).toContain('met    warm: 1.30x the CPU of the floor (goal: at most 1.4x)');
    expect(table).toContain('met    warm: 6.9x cheaper than v2, the floor is 9.0x (goal: at least 5.0x)');
  });

  it('says when a goal is missed', () => {
    const rows = [...rounds('floor', [10]), ...rounds('v2', [60]), ...rounds('rxmcp', [15])];
    const table = tableOf(rows, fullPlan);
    expect(table).toContain('missed warm: 1.50x the CPU of the floor');
    expect(table).toContain('missed warm: 4.0x cheaper than v2');
  });

  it('writes what was not measured as an empty cell', () => {
    const [row] = rounds('floor', [10]);
    expect(csvOf([{ ...(row as Row), p50Micros: Number.NaN }]).split('\n')).toEqual([
      'transport,era,tools,in_flight,phase,contestant,round,calls,cpu_us_per_call,calls_per_s,p50_us,p99_us',
      'stdio,modern,1,64,"after 30,000",floor,1,10000,10,50000,,20.500',
      '',
    ]);
  });
});

it('judges no first calls', () => {
  const rows = [...rounds('floor', [10]), ...rounds('v2', [60]), ...rounds('rxmcp', [15])];
  const first = rows.map((row) => ({ ...row, phase: 'the first 2,000' }));
  expect(tableOf(first, fullPlan)).not.toMatch(/met|missed/);
});

describe('the command line', () => {
  it('takes --only and --quick, also behind a separator', () => {
    expect(optionsOf([])).toEqual({ only: undefined, quick: false });
    expect(optionsOf(['--', '--only', 'memory', '--quick'])).toEqual({ only: 'memory', quick: true });
  });

  it('refuses what it does not know', () => {
    expect(() => optionsOf(['--only', 'http'])).toThrow('--only takes stdio or memory, not "http"');
    expect(() => optionsOf(['--fast'])).toThrow();
  });
});

function rounds(contestant: Contestant, cpu: readonly number[]): Row[] {
  return cpu.map((cpuMicros, index) => ({
    transport: 'stdio',
    era: 'modern',
    tools: 1,
    inFlight: 64,
    phase: 'after 30,000',
    contestant,
    round: index + 1,
    calls: 10_000,
    cpuMicros,
    callsPerSecond: 50_000,
    p50Micros: 10,
    p99Micros: 20.5,
  }));
}
