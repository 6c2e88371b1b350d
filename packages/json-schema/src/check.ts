import { compile } from './compile.js';
import { dialectOf } from './dialect.js';
import { SchemaDocument } from './document.js';
import { evaluate } from './node.js';
import type { Settings } from './options.js';
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
export function checkerOf(raw: RawObject, settings: Settings): Checker {
  const document = new SchemaDocument(raw, dialectOf(raw), settings);
  const root = compile(document);
  const check = (value: unknown): readonly Issue[] => {
    const run = new Run(settings.maxSteps);
    try {
      return evaluate(root, value, run) ? none : run.issues;
    } catch (error) {
      // A value that was not looked at to its end counts as wrong.
      const deep = error instanceof RangeError;
      if (!deep && !(error instanceof GivenUp)) throw error;
      const message = deep ? 'was not checked to its end: it is nested too deeply' : error.message;
      return [...run.issues, { message, path: [], code: 'GIVEN_UP' }];
    }
  };
  const { subschemas, patterns, nameBytes } = document;
  return { check, weightBytes: 1_000 * subschemas + 300 * patterns.steps + nameBytes };
}

const none: readonly Issue[] = Object.freeze([]);
