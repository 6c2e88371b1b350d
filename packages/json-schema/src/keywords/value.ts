import { ucs2length } from '@cfworker/json-schema';
import { canonical } from './canonical.js';
import { formats } from './formats.js';
import type { Check } from '../compile/node.js';
import type { ValidationRun } from '../compile/validation-run.js';
import { shown } from '../schema/schema-error.js';
import { type Keyword, countAt, invalid, numberAt } from './keyword.js';

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

const bound =
  (holds: (value: number, limit: number) => boolean, word: string): Keyword =>
  (operand, { at }) => {
    const limit = numberAt(operand, at);
    return numeric((value) => holds(value, limit), `must be ${word} ${limit}`);
  };

const multipleOf: Keyword = (operand, { at }) => {
  const divisor = numberAt(operand, at);
  if (divisor <= 0) throw invalid(at, 'must be greater than 0');
  return numeric((value, run) => isMultiple(value, divisor, run), `must be a multiple of ${divisor}`);
};

function numeric(holds: (value: number, run: ValidationRun) => boolean, message: string): Check {
  return (value, run) => typeof value !== 'number' || holds(value, run) || run.wrong(message);
}

// In whole numbers: 0.3 is a multiple of 0.1, which a division of floating point denies.
function isMultiple(value: number, divisor: number, run: ValidationRun): boolean {
  if (Number.isInteger(value) && Number.isInteger(divisor)) return value % divisor === 0;
  if (!Number.isFinite(value)) return false;
  const [a, scaleA] = decimal(value);
  const [b, scaleB] = decimal(divisor);
  const scale = Math.max(scaleA, scaleB);
  // So many digits the larger one gets.
  run.spend(1 + (Math.abs(scaleA - scaleB) >> 2));
  return (a * 10n ** BigInt(scale - scaleA)) % (b * 10n ** BigInt(scale - scaleB)) === 0n;
}

/** A number as a whole one over a power of ten, which may be below 1. */
function decimal(value: number): readonly [bigint, number] {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  return [BigInt(whole + fraction), fraction.length - Number(exponent)];
}

/** Keywords for numbers. */
export const numberKeywords: Readonly<Record<string, Keyword>> = {
  minimum: bound((value, limit) => value >= limit, 'at least'),
  maximum: bound((value, limit) => value <= limit, 'at most'),
  exclusiveMinimum: bound((value, limit) => value > limit, 'greater than'),
  exclusiveMaximum: bound((value, limit) => value < limit, 'less than'),
  multipleOf,
};

const minLength: Keyword = (operand, { at }) => {
  const limit = countAt(operand, at);
  return (value, run) => {
    if (typeof value !== 'string') return true;
    run.spend(value.length >> 6);
    return ucs2length(value) >= limit || run.wrong(`must have at least ${limit} characters`);
  };
};

const maxLength: Keyword = (operand, { at }) => {
  const limit = countAt(operand, at);
  return (value, run) => {
    if (typeof value !== 'string' || value.length <= limit) return true;
    run.spend(value.length >> 6);
    return ucs2length(value) <= limit || run.wrong(`must have at most ${limit} characters`);
  };
};

const pattern: Keyword = (operand, { at, document }) => {
  if (typeof operand !== 'string') throw invalid(at, 'must be a string');
  const matches = document.patterns.of(operand, at);
  const message = `must match ${shown(operand)}`;
  return (value, run) => typeof value !== 'string' || matches(value, run) || run.wrong(message);
};

const format: Keyword = (operand, { at, document }) => {
  if (typeof operand !== 'string') throw invalid(at, 'must be a string');
  const holds = document.settings.format === 'assertion' ? formats.get(operand) : undefined;
  if (holds === undefined) return undefined;
  return (value, run) =>
    typeof value !== 'string' || holds(value, run) || run.wrong(`must be a valid ${operand}`);
};

/** Keywords for strings. */
export const stringKeywords: Readonly<Record<string, Keyword>> = { minLength, maxLength, pattern, format };
