import { compile } from './compile.js';
import { dialectOf } from './dialect.js';
import { SchemaDocument } from './document.js';
import type { JsonSchemaLimits } from './limits.js';
import { evaluate } from './node.js';
import type { RawObject } from './raw.js';
import type { Issue } from './run.js';
import { GivenUp, Run } from './run.js';

/** A schema, ready. */
export interface Checker {
  /** What is wrong with a value; nothing where it holds. */
  check(value: unknown): readonly Issue[];
  /** About how many bytes it keeps. */
  readonly weightBytes: number;
}

/** Makes a schema ready to check values. Throws a JsonSchemaError. */
export function checkerOf(raw: RawObject, limits: Required<JsonSchemaLimits>): Checker {
  const document = new SchemaDocument(raw, dialectOf(raw), limits);
  const root = compile(document);
  const check = (value: unknown): readonly Issue[] => {
    const run = new Run(limits.maxSteps);
    try {
      return evaluate(root, value, run) ? none : run.issues;
    } catch (error) {
      // A value that was not looked at to its end counts as wrong.
      if (error instanceof GivenUp) return [...run.issues, { message: error.message, path: [] }];
      if (error instanceof RangeError) return [{ message: 'is nested too deeply', path: [] }];
      throw error;
    }
  };
  const { subschemas, patterns, nameBytes } = document;
  return { check, weightBytes: 1_000 * subschemas + 300 * patterns.steps + nameBytes };
}

const none: readonly Issue[] = Object.freeze([]);
