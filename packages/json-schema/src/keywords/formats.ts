import { format } from '@cfworker/json-schema';
import { parse } from '../pattern/parse.js';
import { UnsupportedPatternError } from '../pattern/program.js';
import type { ValidationRun } from '../compile/validation-run.js';

/** Returns whether a text has the format, and charges the run for the work. */
export type Format = (text: string, run: ValidationRun) => boolean;

/**
 * The formats that are checked, by their name. The library's test of `url` takes exponential time and is in no
 * revision of JSON Schema, so it is left out like any unknown name; the others are linear.
 */
export const formats: ReadonlyMap<string, Format> = new Map<string, Format>([
  ...[
    'date',
    'time',
    'duration',
    'uri',
    'uri-reference',
    'uri-template',
    'email',
    'hostname',
    'ipv4',
    'ipv6',
    'uuid',
    'json-pointer',
    'relative-json-pointer',
  ].flatMap((name) => {
    const test = format[name];
    return test === undefined ? [] : [[name, linear(test)] as const];
  }),
  ['date-time', linear(isDateTime)],
  ['regex', isPattern],
]);

// Where RFC 3339 has a `T`, or a space for the eye, the library takes the end of a line as well.
function isDateTime(text: string): boolean {
  return !/[^\S ]/.test(text) && format['date-time']?.(text) === true;
}

function linear(test: (text: string) => boolean): Format {
  return (text, run) => {
    run.spend(4 + (text.length >> 3));
    return test(text);
  };
}

/** The engine needs more than linear time to read some patterns, so it is given short ones only. */
const maxForEngine = 256;

// Our parser knows all but looking behind and references back to a group.
function isPattern(text: string, run: ValidationRun): boolean {
  run.spend(1 + 2 * text.length);
  try {
    parse(text);
    return true;
  } catch (error) {
    if (!(error instanceof UnsupportedPatternError)) throw error;
  }
  if (text.length > maxForEngine) return false;
  run.spend(250 * text.length);
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}
