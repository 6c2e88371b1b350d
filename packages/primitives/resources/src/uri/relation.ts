import type { Automaton } from './automaton.js';
import { automatonOf, closed, covers } from './automaton.js';
import type { Outline } from './outline.js';
import { mayMeet, outlineOf } from './outline.js';
import type { Shape } from './shape.js';

/** How two templates lie to each other; `wider`: the first takes all that the second takes, and more. */
export type Relation = 'apart' | 'same' | 'wider' | 'narrower' | 'crossing';

/** What may still be spent on comparing: one for a look at two templates, four for each step of taking them apart. */
export interface Budget {
  left: number;
}

/** What may be spent on all templates of an offer; when it is gone, two count as apart, and their order decides. */
export const maxWork = 2_000_000;

/** So many steps are spent on a pair of templates; two that would need more count as apart, too. */
const maxSteps = 100_000;

/**
 * Compares what two templates take. Paths go first: only where they take the same ones their queries are compared. A `{v:3}` counts
 * as a `{v}`.
 */
export function relationOf(one: Shape, other: Shape, budget: Budget = { left: maxWork }): Relation {
  budget.left -= 1;
  if (budget.left < 0 || !mayMeet(knownOutline(one), knownOutline(other))) return 'apart';
  const [a, b] = [automatonOf(one), automatonOf(other)];
  budget.left -= a.length + b.length;
  if (!meet(a, b, allowance(budget))) return 'apart';
  const wider = takesAll(a, b, allowance(budget));
  const narrower = takesAll(b, a, allowance(budget));
  if (wider === undefined || narrower === undefined) return 'apart';
  if (wider !== narrower) return wider ? 'wider' : 'narrower';
  if (!wider) return 'crossing';
  const [more, less] = [behind(one, other), behind(other, one)];
  if (more && less) return 'same';
  return more ? 'wider' : less ? 'narrower' : 'crossing';
}

/** Takes steps off; false when they are used up. */
type Spend = (steps: number) => boolean;

function allowance(budget: Budget): Spend {
  let left = maxSteps;
  return (steps) => {
    left -= steps;
    budget.left -= 4 * steps;
    return left >= 0 && budget.left >= 0;
  };
}

const outlines = new WeakMap<Shape, Outline>();

function knownOutline(shape: Shape): Outline {
  const known = outlines.get(shape);
  if (known !== undefined) return known;
  const outline = outlineOf(shape);
  outlines.set(shape, outline);
  return outline;
}

/** Whether there is a text that both take. */
function meet(a: Automaton, b: Automaton, spend: Spend): boolean {
  const seen = new Set<number>();
  const open: [number, number][] = [];
  const reach = (x: number, y: number): void => {
    const key = x * b.length + y;
    if (seen.has(key)) return;
    seen.add(key);
    open.push([x, y]);
  };
  reach(0, 0);
  for (let at = open.pop(); at !== undefined && spend(1); at = open.pop()) {
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
function takesAll(outer: Automaton, inner: Automaton, spend: Spend): boolean | undefined {
  const seen = new Set<string>();
  const open: [number, ReadonlySet<number>][] = [];
  const reach = (x: number, states: ReadonlySet<number>): void => {
    const key = `${x}:${[...states].sort((p, q) => p - q).join()}`;
    if (seen.has(key)) return;
    seen.add(key);
    open.push([x, states]);
  };
  reach(0, closed(outer, [0]));
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const [x, states] = at;
    if (!spend(states.size)) return undefined;
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
  const keys = new Map((outer.pairs?.variables ?? []).map(({ key, explode }) => [key, explode]));
  const open = [...keys.values()].filter(Boolean).length === 1;
  return (inner.pairs?.variables ?? []).every(({ key, explode }) => open || (keys.has(key) && !explode));
}
