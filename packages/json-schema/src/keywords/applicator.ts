import { type Node, evaluate } from '../compile/node.js';
import { below, isRaw } from '../schema/raw-schema.js';
import { shown } from '../schema/schema-error.js';
import type { Keyword, Site } from './keyword.js';
import { has, objectAt, schemaAt, schemasAt, stringsAt } from './keyword.js';

const allOf: Keyword = (operand, site) => {
  const all = schemasAt(operand, site);
  site.into.beside.push(...all);
  return (value, run, seen) => {
    let valid = true;
    for (const each of all) {
      if (evaluate(each, value, run, seen)) continue;
      valid = false;
      if (!run.looking) break;
    }
    return valid;
  };
};

const anyOf: Keyword = (operand, site) => {
  const all = schemasAt(operand, site);
  site.into.beside.push(...all);
  return (value, run, seen) => {
    let valid = false;
    run.silently(() => {
      for (const each of all) {
        if (evaluate(each, value, run, seen)) valid = true;
        // Later ones matter only for what they have looked at.
        if (valid && seen === undefined) break;
      }
      return valid;
    });
    return valid || run.wrong(`must match one of ${all.length} schemas`);
  };
};

const oneOf: Keyword = (operand, site) => {
  const all = schemasAt(operand, site);
  site.into.beside.push(...all);
  return (value, run, seen) => {
    let matches = 0;
    run.silently(() => {
      for (const each of all) if (evaluate(each, value, run, seen) && ++matches > 1) break;
      return true;
    });
    return matches === 1 || run.wrong(`must match exactly one of ${all.length} schemas`);
  };
};

const not: Keyword = (operand, site) => {
  const inner = schemaAt(operand, site.at, site);
  site.into.beside.push(inner);
  return (value, run) =>
    !run.silently(() => evaluate(inner, value, run)) || run.wrong('must not match what is excluded');
};

const condition: Keyword = (operand, site) => {
  const inner = schemaAt(operand, site.at, site);
  const branch = (word: 'then' | 'else') =>
    site.raw[word] === undefined ? undefined : schemaAt(site.raw[word], below(site.into.at, word), site);
  const [met, unmet] = [branch('then'), branch('else')];
  site.into.beside.push(inner, ...(met === undefined ? [] : [met]), ...(unmet === undefined ? [] : [unmet]));
  return (value, run, seen) => {
    const next = run.silently(() => evaluate(inner, value, run, seen)) ? met : unmet;
    return next === undefined || evaluate(next, value, run, seen);
  };
};

/** What an object must satisfy if it has a certain member. */
interface Needs {
  readonly names?: readonly string[];
  readonly node?: Node;
}

type NeedsAt = (operand: unknown, at: string, site: Site) => Needs;

const others: NeedsAt = (operand, at) => ({ names: stringsAt(operand, at) });

const schema: NeedsAt = (operand, at, site) => {
  const node = schemaAt(operand, at, site);
  site.into.beside.push(node);
  return { node };
};

/** In `dependencies` of older dialects a list of names stands for what `dependentRequired` says. */
const either: NeedsAt = (operand, at, site) => (Array.isArray(operand) ? others : schema)(operand, at, site);

const dependent =
  (needsAt: NeedsAt): Keyword =>
  (operand, site) => {
    const entries = Object.entries(objectAt(operand, site.at)).map(
      ([key, inner]) => [key, needsAt(inner, below(site.at, key), site)] as const,
    );
    return (value, run, seen) => {
      if (!isRaw(value)) return true;
      let valid = true;
      for (const [key, { names = [], node }] of entries) {
        run.spend(1);
        if (!has(value, key)) continue;
        if (node !== undefined && !evaluate(node, value, run, seen)) valid = false;
        run.spend(names.length);
        for (const name of names)
          if (!has(value, name))
            valid = run.wrong(() => `must have ${shown(name)}, since it has ${shown(key)}`);
      }
      return valid;
    };
  };

/** Keywords that combine this schema with others. */
export const combiningKeywords: Readonly<Record<string, Keyword>> = {
  allOf,
  anyOf,
  oneOf,
  not,
  if: condition,
  dependentSchemas: dependent(schema),
  dependentRequired: dependent(others),
  dependencies: dependent(either),
};
