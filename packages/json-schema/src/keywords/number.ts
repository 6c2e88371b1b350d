import type { Check } from '../node.js';
import type { Run } from '../run.js';
import type { Keyword } from './keyword.js';
import { invalid, numberAt } from './keyword.js';

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

function numeric(holds: (value: number, run: Run) => boolean, message: string): Check {
  return (value, run) => typeof value !== 'number' || holds(value, run) || run.wrong(message);
}

// In whole numbers: 0.3 is a multiple of 0.1, which a division of floating point denies.
function isMultiple(value: number, divisor: number, run: Run): boolean {
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
