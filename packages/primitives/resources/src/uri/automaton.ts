import type { Expression } from './parse.js';
import type { Shape } from './shape.js';

/** One character, or any of a run: `segment` but `/ ? #`, `many` but `? #`. */
export type Symbols = { readonly character: string } | 'segment' | 'many';

/** What may come next in a state: a character, or nothing at all. */
export interface Step {
  readonly over: Symbols | undefined;
  readonly to: number;
}

/** A template without its query and fragment as states that one after the other takes characters; the last one ends it. */
export type Automaton = readonly (readonly Step[])[];

/** Makes the automaton of a shape. */
export function automatonOf({ literals, groups }: Shape): Automaton {
  const states: Step[][] = [[]];
  const step = (from: number, over: Symbols | undefined, to: number): void =>
    void states[from]?.push({ over, to });
  const next = (over: Symbols): void => {
    step(states.length - 1, over, states.length);
    states.push([]);
  };
  const run = (over: 'segment' | 'many'): void => {
    next(over);
    step(states.length - 1, over, states.length - 1);
  };
  const text = (literal: string): void => {
    for (const character of literal) next({ character });
  };
  const expression = ({ operator, variables }: Expression): void => {
    const { sign, first } = operator;
    if (sign === '' || sign === '+') return run(sign === '' ? 'segment' : 'many');
    const starts: number[] = [];
    // Segments may be missing from behind; of everything else only the whole.
    const times = sign === '/' ? variables.length : 1;
    for (let time = 0; time < times; time += 1) {
      starts.push(states.length - 1);
      text(first);
      run(sign === '/' && variables[time]?.explode === true ? 'many' : 'segment');
    }
    // An end of its own: from that of the run more could be taken.
    starts.push(states.length - 1);
    for (const start of starts) step(start, undefined, states.length);
    states.push([]);
  };
  literals.forEach((literal, index) => {
    text(literal);
    groups[index]?.members.forEach(expression);
  });
  return states;
}

/** The states that can be reached without taking anything, given ones included. */
export function closed(automaton: Automaton, from: Iterable<number>): ReadonlySet<number> {
  const found = new Set(from);
  // A set that grows while it is walked is walked to its end.
  for (const state of found)
    for (const { over, to } of automaton[state] ?? []) if (over === undefined) found.add(to);
  return found;
}

/** Whether `outer` has all characters of `inner`. */
export function covers(outer: Symbols, inner: Symbols): boolean {
  if (typeof outer === 'object') return typeof inner === 'object' && inner.character === outer.character;
  if (typeof inner === 'string') return outer === 'many' || inner === 'segment';
  const { character } = inner;
  return character !== '?' && character !== '#' && (outer === 'many' || character !== '/');
}
