import { canonical } from '../canonical.js';
import type { Check } from '../node.js';
import { shown } from '../schema-error.js';
import type { Keyword } from './keyword.js';
import { invalid } from './keyword.js';

const type: Keyword = (operand, { at }) => {
  const names: unknown[] = Array.isArray(operand) ? operand : [operand];
  for (const name of names)
    if (typeof name !== 'string' || !types.has(name)) throw invalid(at, `${shown(String(name))} is no type`);
  const allowed = new Set(names as string[]);
  const message = `must be ${[...allowed].join(' or ')}`;
  return (value, run) => {
    const own = typeOf(value);
    if (allowed.has(own) || (own === 'number' && allowed.has('integer') && Number.isInteger(value)))
      return true;
    return run.wrong(message);
  };
};

const constant: Keyword = (operand) => oneOf([operand], `must be ${brief(canonical(operand))}`);

const enumeration: Keyword = (operand, { at }) => {
  if (!Array.isArray(operand)) throw invalid(at, 'must be an array');
  const some = operand.slice(0, 10).map((each) => brief(canonical(each)));
  return oneOf(operand, `must be one of ${some.join(', ')}${operand.length > 10 ? ', …' : ''}`);
};

function oneOf(allowed: readonly unknown[], message: string): Check {
  const texts = new Set(allowed.map((each) => canonical(each)));
  const nested = allowed.some((each) => typeof each === 'object' && each !== null);
  return (value, run) => {
    if (typeof value === 'object' && value !== null && !nested) return run.wrong(message);
    return texts.has(canonical(value, run)) || run.wrong(message);
  };
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const types: ReadonlySet<string> = new Set([
  'null',
  'boolean',
  'object',
  'array',
  'number',
  'integer',
  'string',
]);

/** Keywords for values of any type. */
export const valueKeywords: Readonly<Record<string, Keyword>> = { type, const: constant, enum: enumeration };

function brief(json: string): string {
  return json.length <= 100 ? json : `${json.slice(0, 99)}…`;
}
