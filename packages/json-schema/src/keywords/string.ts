import { ucs2length } from '@cfworker/json-schema';
import { formats } from '../formats.js';
import { shown } from '../schema-error.js';
import type { Keyword } from './keyword.js';
import { countAt, invalid } from './keyword.js';

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
