import { describe } from 'vitest';
import { bridge } from 'rxmcp';
import { carries, joins } from './joins.js';
import type { Way } from './scenarios.js';
import { scenarios } from './scenarios.js';
import { exhaustive } from '../../../vitest.exhaustive.js';

/** Each of them may have to open a connection of its own on either side. */
const many = 8;

/** The name of a transport in front of the bridge, and of one behind it. */
export type Pair = readonly [front: string, back: string];

/** The transports whose pairs are tried. */
export const names = Object.keys(joins).filter((name) => name !== 'unix');

/** As many pairs as there are names, with each of them once in front and once behind. */
export function covering(all: readonly string[], shift: number): readonly Pair[] {
  return all.map((front, at) => [front, all[(at + shift) % all.length] ?? front] as const);
}

/** All ordered pairs; where not all run, each name is once on either side of another. */
export const pairs: readonly Pair[] = exhaustive
  ? names.flatMap((front) => names.map((back) => [front, back] as const))
  : covering(names, 1);

/** The scenarios of a revision over a bridge between each pair that has a binding for it. */
export function across(version: string, tried: readonly Pair[]): void {
  describe(version, () => {
    for (const [front, back] of tried) {
      const name = `from ${front} to ${back}`;
      if ([front, back].every((one) => carries(one, version)))
        describe(name, () => bridged(version, front, back));
    }
  });
}

function bridged(version: string, front: string, back: string): void {
  const way: Way = async (server, atEnd) => {
    const there = await joins[back]?.(server, atEnd);
    if (there === undefined) throw new Error(`no transport "${back}"`);
    return (await joins[front]?.(bridge(there), atEnd)) ?? there;
  };
  scenarios(version, way, many);
}
