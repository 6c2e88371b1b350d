import type { Automaton } from './automaton.js';
import { automatonOf, closed, covers } from './automaton.js';
import type { Shape } from './shape.js';

/** How two templates lie to each other; `wider`: the first takes all that the second takes, and more. */
export type Relation = 'apart' | 'same' | 'wider' | 'narrower' | 'crossing';

/** So many steps are spent on a pair of templates; two that would need more count as apart, and their order decides. */
const maxSteps = 100_000;

/**
 * Compares what two templates take. Paths go first: only where they take the same ones their queries are compared. A `{v:3}` counts
 * as a `{v}`.
 */
export function relationOf(one: Shape, other: Shape): Relation {
  const [a, b] = [automatonOf(one), automatonOf(other)];
  if (!meet(a, b)) return 'apart';
  const wider = takesAll(a, b);
  const narrower = takesAll(b, a);
  if (wider === undefined || narrower === undefined) return 'apart';
  if (wider !== narrower) return wider ? 'wider' : 'narrower';
  if (!wider) return 'crossing';
  const [more, less] = [behind(one, other), behind(other, one)];
  if (more && less) return 'same';
  return more ? 'wider' : less ? 'narrower' : 'crossing';
}

/** Whether there is a text that both take. */
function meet(a: Automaton, b: Automaton): boolean {
  const seen = new Set<number>();
  const open: [number, number][] = [];
  const reach = (x: number, y: number): void => {
    const key = x * b.length + y;
    if (seen.has(key)) return;
    seen.add(key);
    open.push([x, y]);
  };
  reach(0, 0);
  for (let at = open.pop(); at !== undefined && seen.size < maxSteps; at = open.pop()) {
    const [x, y] = at;
    if (x === a.length - 1 && y === b.length - 1) return true;
    for (const { over, to } of a[x] ?? []) {
      if (over === undefined) reach(to, y);
      else
        for (const step of b[y] ?? [])
          if (step.over !== undefined && (covers(over, step.over) || covers(step.over, over)))
            reach(to, step.to);
    }
    for (const { over, to } of b[y] ?? []) if (over === undefined) reach(x, to);
  }
  return false;
}

/** Whether `outer` takes all that `inner` takes; undefined where that would take too many steps. */
function takesAll(outer: Automaton, inner: Automaton): boolean | undefined {
  const seen = new Set<string>();
  const open: [number, ReadonlySet<number>][] = [];
  let steps = 0;
  const reach = (x: number, states: ReadonlySet<number>): void => {
    const key = `${x}:${[...states].sort((p, q) => p - q).join()}`;
    if (seen.has(key)) return;
    seen.add(key);
    open.push([x, states]);
  };
  reach(0, closed(outer, [0]));
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const [x, states] = at;
    if ((steps += states.size) > maxSteps) return undefined;
    if (states.size === 0) return false;
    if (x === inner.length - 1 && !states.has(outer.length - 1)) return false;
    for (const { over, to } of inner[x] ?? []) {
      if (over === undefined) reach(to, states);
      else {
        const after = [...states].flatMap((state) =>
          (outer[state] ?? []).flatMap((step) =>
            step.over !== undefined && covers(step.over, over) ? [step.to] : [],
          ),
        );
        reach(to, closed(outer, after));
      }
    }
  }
  return true;
}

/** Whether all that may stand behind the path of `inner` may stand behind that of `outer`. */
function behind(outer: Shape, inner: Shape): boolean {
  if (inner.fragment !== undefined && outer.fragment === undefined) return false;
  const names = new Map((outer.pairs?.variables ?? []).map(({ name, explode }) => [name, explode]));
  const open = [...names.values()].filter(Boolean).length === 1;
  return (inner.pairs?.variables ?? []).every(({ name, explode }) => open || (names.has(name) && !explode));
}
