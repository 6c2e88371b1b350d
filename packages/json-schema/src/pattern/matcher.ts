import { JsonSchemaError, shown } from '../schema-error.js';
import type { Size } from './build.js';
import { build } from './build.js';
import { Machine } from './machine.js';
import { parse } from './parse.js';
import { PatternRefused } from './program.js';
import type { Meter } from './machine.js';

/** Tells whether a text matches. Throws what the meter throws. */
export type Matcher = (text: string, meter: Meter) => boolean;

/** The patterns of one schema, each made ready once. */
export class Patterns {
  private readonly ready = new Map<string, Matcher>();
  private readonly size: Size = { steps: 0, looks: 0 };

  /** How many steps all of them have. */
  get steps(): number {
    return this.size.steps;
  }

  /** One of them, which stands at `at`. Throws SCHEMA_PATTERN. */
  of(source: string, at: string): Matcher {
    const matcher = this.ready.get(source) ?? matcherOf(source, at, this.size);
    this.ready.set(source, matcher);
    return matcher;
  }
}

/**
 * A pattern of a schema (ECMA-262 with the flag `u`), ready. It is matched in time that is linear in the text, since whoever
 * writes a schema may want the engine to try for hours. Throws SCHEMA_PATTERN for references back to a group, for
 * looking behind, and for what is no pattern.
 */
export function matcherOf(source: string, at: string, size: Size = { steps: 0, looks: 0 }): Matcher {
  try {
    const machine = new Machine(build(parse(source), size));
    return (text, meter) => machine.test(text, meter);
  } catch (error) {
    if (!(error instanceof PatternRefused)) throw error;
    throw new JsonSchemaError(
      'SCHEMA_PATTERN',
      at,
      `the pattern ${shown(source)} is refused: ${error.message}`,
    );
  }
}
