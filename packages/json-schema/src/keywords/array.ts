import { canonical } from './canonical.js';
import { type Check, type Node, evaluate, evaluateAt } from '../compile/node.js';
import { below } from '../schema/raw-schema.js';
import { type Keyword, type Site, countAt, schemaAt, schemasAt } from './keyword.js';

const counted =
  (holds: (count: number, limit: number) => boolean, words: string): Keyword =>
  (operand, { at }) => {
    const limit = countAt(operand, at);
    return (value, run) =>
      !Array.isArray(value) || holds(value.length, limit) || run.wrong(`must have ${words} ${limit} items`);
  };

const prefixItems: Keyword = (operand, site) => first(schemasAt(operand, site));

/** A list of schemas is what older dialects say for `prefixItems`. */
const items: Keyword = (operand, site) =>
  Array.isArray(operand)
    ? first(schemasAt(operand, site))
    : rest(schemaAt(operand, site.at, site), lengthOf(site.raw['prefixItems']));

const additionalItems: Keyword = (operand, site) => {
  const before = site.raw['items'];
  return Array.isArray(before) ? rest(schemaAt(operand, site.at, site), before.length) : undefined;
};

function lengthOf(operand: unknown): number {
  return Array.isArray(operand) ? operand.length : 0;
}

function first(schemas: readonly Node[]): Check {
  return (value, run, seen) => {
    if (!Array.isArray(value)) return true;
    let valid = true;
    for (let i = 0; i < schemas.length && i < value.length; i += 1) {
      seen?.add(i);
      if (evaluateAt(schemas[i] as Node, i, value[i], run)) continue;
      valid = false;
      if (!run.looking) return false;
    }
    return valid;
  };
}

function rest(inner: Node, from: number): Check {
  return (value, run, seen) => {
    if (!Array.isArray(value)) return true;
    seen?.addAll();
    let valid = true;
    for (let i = from; i < value.length; i += 1) {
      if (evaluateAt(inner, i, value[i], run)) continue;
      valid = false;
      if (!run.looking) return false;
    }
    return valid;
  };
}

const contains: Keyword = (operand, site) => {
  const inner = schemaAt(operand, site.at, site);
  const limit = (word: string, otherwise: number): number =>
    site.raw[word] === undefined || site.document.dialect === 'draft-07'
      ? otherwise
      : countAt(site.raw[word], below(site.into.at, word));
  const [least, most] = [limit('minContains', 1), limit('maxContains', Infinity)];
  return (value, run, seen) => {
    if (!Array.isArray(value)) return true;
    let found = 0;
    run.silently(() => {
      for (let i = 0; i < value.length; i += 1) {
        if (!evaluate(inner, value[i], run)) continue;
        found += 1;
        // Before 2020-12 what this has found still counted as not looked at.
        if (site.document.dialect === '2020-12') seen?.add(i);
      }
      return true;
    });
    if (found < least) return run.wrong(`must contain at least ${least} items that match`);
    return found <= most || run.wrong(`must contain at most ${most} items that match`);
  };
};

/** V8 hashes longer texts by their length alone: a Set would compare each of them with all others of its length. */
const maxHashedLength = 16_383;

function hasEqual(texts: readonly string[]): boolean {
  const short = texts.filter(({ length }) => length <= maxHashedLength);
  if (new Set(short).size < short.length) return true;
  const long = texts.filter(({ length }) => length > maxHashedLength).sort();
  return long.some((text, at) => text === long[at + 1]);
}

const uniqueItems: Keyword = (operand) => {
  if (operand !== true) return undefined;
  return (value, run) => {
    if (!Array.isArray(value)) return true;
    // To look one up takes longer than to make its text.
    run.spend(2 * value.length);
    const texts = value.map((item) => canonical(item, run));
    return !hasEqual(texts) || run.wrong('must have no two equal items');
  };
};

const unevaluatedItems: Keyword = (operand, site: Site) => {
  const inner = schemaAt(operand, site.at, site);
  return (value, run, seen) => {
    if (!Array.isArray(value)) return true;
    for (let i = 0; i < value.length; i += 1) {
      run.spend(1);
      if (seen?.has(i) !== true && !evaluateAt(inner, i, value[i], run)) return false;
    }
    seen?.addAll();
    return true;
  };
};

/** Keywords for arrays. */
export const arrayKeywords: Readonly<Record<string, Keyword>> = {
  minItems: counted((count, limit) => count >= limit, 'at least'),
  maxItems: counted((count, limit) => count <= limit, 'at most'),
  prefixItems,
  items,
  additionalItems,
  contains,
  uniqueItems,
  unevaluatedItems,
};
