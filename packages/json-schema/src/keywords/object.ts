import { below, isRaw } from '../schema/raw-schema.js';
import { type Check, type Node, evaluate, evaluateAt } from '../compile/node.js';
import type { Matcher } from '../pattern/matcher.js';
import type { ValidationRun } from '../compile/validation-run.js';
import { shown } from '../schema/schema-error.js';
import type { Keyword, Site } from './keyword.js';
import { countAt, has, objectAt, schemaAt, schemaMap, stringsAt } from './keyword.js';

type Members = Readonly<Record<string, unknown>>;

const required: Keyword = (operand, { at }) => {
  const names = stringsAt(operand, at);
  return (value, run) => {
    if (!isRaw(value)) return true;
    run.spend(names.length);
    let valid = true;
    for (const name of names) if (!has(value, name)) valid = run.wrong(() => `must have ${shown(name)}`);
    return valid;
  };
};

const counted =
  (holds: (count: number, limit: number) => boolean, words: string): Keyword =>
  (operand, { at }) => {
    const limit = countAt(operand, at);
    return (value, run) => {
      if (!isRaw(value)) return true;
      return holds(keysOf(value, run).length, limit) || run.wrong(`must have ${words} ${limit} members`);
    };
  };

const propertyNames: Keyword = (operand, site) => {
  const inner = schemaAt(operand, site.at, site);
  return (value, run) => {
    if (!isRaw(value)) return true;
    for (const key of keysOf(value, run)) {
      if (!run.silently(() => evaluate(inner, key, run)))
        return run.wrong(() => `must have no member ${shown(key)}: its name does not match`);
    }
    return true;
  };
};

const properties: Keyword = (operand, site) => {
  const schemas = schemaMap(operand, site);
  return members((key) => schemas.get(key));
};

const patternProperties: Keyword = (operand, site) => {
  const schemas = Object.entries(objectAt(operand, site.at)).map(
    ([pattern, inner]) =>
      [
        site.document.patterns.of(pattern, below(site.at, pattern)),
        schemaAt(inner, below(site.at, pattern), site),
      ] as const,
  );
  const checks = schemas.map(([matches, node]) =>
    members((key, run) => (matches(key, run) ? node : undefined)),
  );
  return (value, run, seen) => {
    let valid = true;
    for (const check of checks) if (!check(value, run, seen)) valid = false;
    return valid;
  };
};

const additionalProperties: Keyword = (operand, site) => {
  const inner = schemaAt(operand, site.at, site);
  const isNamed = isNamedIn(site);
  return members((key, run) => (isNamed(key, run) ? undefined : inner));
};

const unevaluatedProperties: Keyword = (operand, site) => {
  const inner = schemaAt(operand, site.at, site);
  return (value, run, seen) =>
    members((key) => (seen?.has(key) === true ? undefined : inner))(value, run, seen);
};

/** Whether `properties` or `patternProperties` of the same schema apply to a member. */
function isNamedIn({ document, raw, into }: Site): (key: string, run: ValidationRun) => boolean {
  const named = raw['properties'];
  const patterns = Object.keys(objectAt(raw['patternProperties'] ?? {}, below(into.at, 'patternProperties')));
  const matchers: readonly Matcher[] = patterns.map((pattern) =>
    document.patterns.of(pattern, below(into.at, 'patternProperties', pattern)),
  );
  return (key, run) =>
    (isRaw(named) && Object.hasOwn(named, key)) || matchers.some((matches) => matches(key, run));
}

/** A check of each member that a schema is found for. */
function members(schemaFor: (key: string, run: ValidationRun) => Node | undefined): Check {
  return (value, run, seen) => {
    if (!isRaw(value)) return true;
    let valid = true;
    for (const key of keysOf(value, run)) {
      const node = schemaFor(key, run);
      if (node === undefined) continue;
      seen?.add(key);
      if (evaluateAt(node, key, value[key], run)) continue;
      valid = false;
      if (!run.looking) return false;
    }
    return valid;
  };
}

function keysOf(value: Members, run: ValidationRun): readonly string[] {
  const keys = run.keys.get(value) ?? keysFound(value, run);
  run.spend(1 + (keys.length >> 2));
  return keys;
}

function keysFound(value: Members, run: ValidationRun): readonly string[] {
  const all = Object.keys(value);
  // What is undefined would not travel.
  const keys = all.some((key) => value[key] === undefined)
    ? all.filter((key) => value[key] !== undefined)
    : all;
  // Those of a small object are found sooner than looked up.
  if (all.length > 32) {
    run.spend(all.length);
    run.keys.set(value, keys);
  }
  return keys;
}

/** Keywords for objects. */
export const objectKeywords: Readonly<Record<string, Keyword>> = {
  required,
  minProperties: counted((count, limit) => count >= limit, 'at least'),
  maxProperties: counted((count, limit) => count <= limit, 'at most'),
  propertyNames,
  properties,
  patternProperties,
  additionalProperties,
  unevaluatedProperties,
};
