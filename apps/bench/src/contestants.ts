import type { BenchEra } from './requests.js';

/** Who is measured. */
export type Contestant = 'floor' | 'v1' | 'v2' | 'rxmcp';

/** In the order of the first round; every round begins one further. */
export const contestants: readonly Contestant[] = ['floor', 'v1', 'v2', 'rxmcp'];

/** Those who speak an era. */
export function speakersOf(era: BenchEra): readonly Contestant[] {
  return era === 'legacy' ? contestants : contestants.filter((contestant) => contestant !== 'v1');
}

/** What a contestant is, for the reader of the table. */
export const titles: Readonly<Record<Contestant, string>> = {
  floor: 'bare-JavaScript floor',
  v1: 'official SDK v1, @modelcontextprotocol/sdk 1.32.2 (legacy only)',
  v2: 'official SDK v2, @modelcontextprotocol/server and client 2.4.0',
  rxmcp: 'this project',
};
