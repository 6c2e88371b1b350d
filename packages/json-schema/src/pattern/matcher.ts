import { JsonSchemaError, shown } from '../schema/schema-error.js';
import { type Size, build } from './compile-pattern.js';
import { parse } from './parse.js';
import { type Edge, type Program, type Step, UnsupportedPatternError } from './program.js';

/** The meter that work is charged to. */
interface Meter {
  spend(steps: number): void;
}

/**
 * Runs a program: all its ways through a text at a time, character by character, so that no way is taken twice. The work of
 * one character is at most the size of the program.
 */
class Machine {
  readonly #steps: readonly Step[];
  readonly #anchored: boolean;
  readonly #looks: ReadonlyMap<Step, Machine>;
  /** When each step was last come to, by the number of the place. */
  readonly #reached: Float64Array;
  #place = 0;
  #now: number[] = [];
  #next: number[] = [];
  readonly #stack: number[] = [];
  /** Work that is not charged yet, in quarters of a step. */
  #unpaid = 0;

  constructor({ steps, anchored }: Program) {
    this.#steps = steps;
    this.#anchored = anchored;
    this.#reached = new Float64Array(steps.length);
    this.#looks = new Map(
      steps.flatMap((step) => (step.op === 'look' ? [[step, new Machine(step.ahead)] as const] : [])),
    );
  }

  /** Whether the program matches anywhere in a text. */
  test(text: string, meter: Meter): boolean {
    return this.#run(text, 0, !this.#anchored, meter);
  }

  /** Whether it matches at one place of a text, or, if `anywhere`, at a later one. All work is charged in the end. */
  #run(text: string, from: number, anywhere: boolean, meter: Meter): boolean {
    this.#unpaid = 4;
    const found = this.#walk(text, from, anywhere, meter);
    meter.spend(this.#unpaid >> 2);
    return found;
  }

  #walk(text: string, from: number, anywhere: boolean, meter: Meter): boolean {
    this.#now.length = 0;
    this.#place += 1;
    if (this.#reach(0, text, from, this.#now, meter)) return true;
    for (let at = from; at < text.length;) {
      if (this.#now.length === 0 && !anywhere) return false;
      this.#works(4 * this.#now.length + 4, meter);
      const code = text.codePointAt(at) as number;
      at += code > 0xffff ? 2 : 1;
      this.#next.length = 0;
      this.#place += 1;
      for (const number of this.#now) {
        const step = this.#steps[number] as Step;
        if (step.op !== 'char') continue;
        if (step.asks > 0) this.#works(4 * step.asks, meter);
        if (step.is(code) && this.#reach(number + 1, text, at, this.#next, meter)) return true;
      }
      if (anywhere && this.#reach(0, text, at, this.#next, meter)) return true;
      [this.#now, this.#next] = [this.#next, this.#now];
    }
    return false;
  }

  /** Comes to a step and to all that follow without a character; true at the end of the program. */
  #reach(first: number, text: string, at: number, into: number[], meter: Meter): boolean {
    const stack = this.#stack;
    const steps = this.#steps;
    const reached = this.#reached;
    const place = this.#place;
    stack.length = 0;
    stack.push(first);
    for (let number = stack.pop(); number !== undefined; number = stack.pop()) {
      this.#works(1, meter);
      if (reached[number] === place) continue;
      reached[number] = place;
      const step = steps[number] as Step;
      if (step.op === 'match') return true;
      if (step.op === 'char') into.push(number);
      else if (step.op === 'jump') stack.push(step.to);
      else if (step.op === 'split') stack.push(step.second, step.first);
      else if (step.op === 'edge' ? isEdge(step.edge, text, at) : this.#looksAhead(step, text, at, meter))
        stack.push(number + 1);
    }
    return false;
  }

  /** Adds up work and charges it now and then, since a call of the meter costs more than an addition. */
  #works(quarters: number, meter: Meter): void {
    if ((this.#unpaid += quarters) <= 1_024) return;
    meter.spend(this.#unpaid >> 2);
    this.#unpaid &= 3;
  }

  #looksAhead(step: Step & { readonly op: 'look' }, text: string, at: number, meter: Meter): boolean {
    meter.spend(1);
    return (this.#looks.get(step) as Machine).#run(text, at, false, meter) === step.wanted;
  }
}

function isEdge(edge: Edge, text: string, at: number): boolean {
  if (edge === 'start') return at === 0;
  if (edge === 'end') return at === text.length;
  return (isWord(text, at - 1) !== isWord(text, at)) === (edge === 'word');
}

function isWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code > 47 && code < 58) || (code > 64 && code < 91) || code === 95 || (code > 96 && code < 123);
}

/** Returns whether a text matches. Throws what the meter throws. */
export type Matcher = (text: string, meter: Meter) => boolean;

/** The patterns of one schema, each compiled once. */
export class Patterns {
  readonly #ready = new Map<string, Matcher>();
  readonly #size: Size = { steps: 0, looks: 0 };

  /** How many steps all of them have. */
  get steps(): number {
    return this.#size.steps;
  }

  /** One of them, which stands at `at`. Throws SCHEMA_UNSUPPORTED_PATTERN. */
  of(source: string, at: string): Matcher {
    const matcher = this.#ready.get(source) ?? matcherOf(source, at, this.#size);
    this.#ready.set(source, matcher);
    return matcher;
  }
}

/**
 * Compiles a pattern of a schema (ECMA-262 with the flag `u`). Matching takes time linear in the text, since the author of a schema
 * could otherwise block the process for hours. Throws SCHEMA_UNSUPPORTED_PATTERN for backreferences, lookbehind and invalid
 * patterns.
 */
export function matcherOf(source: string, at: string, size: Size = { steps: 0, looks: 0 }): Matcher {
  try {
    const machine = new Machine(build(parse(source), size));
    return (text, meter) => machine.test(text, meter);
  } catch (error) {
    if (!(error instanceof UnsupportedPatternError)) throw error;
    throw new JsonSchemaError(
      'SCHEMA_UNSUPPORTED_PATTERN',
      at,
      `the pattern ${shown(source)} is rejected: ${error.message}`,
    );
  }
}
