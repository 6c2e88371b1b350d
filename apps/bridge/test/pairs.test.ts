import { describe } from 'vitest';
import { bridge } from 'rxmcp';
import { carries, joins } from './joins.js';
import { scenarios } from './scenarios.js';

const names = Object.keys(joins);
const pairs = names.flatMap((front) => names.map((back) => [front, back] as const));

describe.each(['2026-07-28', '2025-11-25'])('%s', (version) => {
  describe.each(pairs.filter((pair) => pair.every((name) => carries(name, version))))(
    'from %s to %s',
    (front, back) => {
      scenarios(version, async (server, atEnd) => {
        const there = await joins[back]?.(server, atEnd);
        if (there === undefined) throw new Error(`no transport "${back}"`);
        return (await joins[front]?.(bridge(there), atEnd)) ?? there;
      });
    },
  );
});
