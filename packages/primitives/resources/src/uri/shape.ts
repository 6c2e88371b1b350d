import { type Expression, type Part, type Variable, templateError } from './parse.js';
import { normalCharacters, schemeOf } from './uri.js';

/** Expressions that stand side by side; each but the first begins with a character that is in no value before it. */
export interface Group {
  readonly members: readonly Expression[];
  /** Whether it takes slashes. */
  readonly many: boolean;
  /** Whether it may be nothing. */
  readonly optional: boolean;
}

/** A template as it is matched: literals and groups alternate, so there is one literal more; then pairs, then a fragment. */
export interface Shape {
  readonly literals: readonly string[];
  readonly groups: readonly Group[];
  /** The variables of `{?a,b}` and `{&c}`; `continued` where a literal has the `?` already. */
  readonly pairs: { readonly variables: readonly Variable[]; readonly continued: boolean } | undefined;
  readonly fragment: Expression | undefined;
}

/**
 * The shape of a template that can be read without doubt. Throws a TypeError for any other, such as one with two variables
 * side by side or two that take slashes.
 */
export function shapeOf(text: string, parts: readonly Part[]): Shape {
  schemeOf(text);
  const fail = (problem: string): TypeError => templateError(text, problem);
  const literals: string[] = [''];
  const groups: Group[] = [];
  let pairs: Shape['pairs'];
  let fragment: Expression | undefined;
  const inLiterals = (mark: string): boolean => literals.some((literal) => literal.includes(mark));
  for (const part of parts) {
    if (fragment !== undefined) throw fail('nothing may follow the fragment expression');
    const sign = typeof part === 'string' ? undefined : part.operator.sign;
    if (pairs !== undefined && sign !== '&' && sign !== '#')
      throw fail('nothing may follow the query expression');
    if (typeof part === 'string') {
      literals[literals.length - 1] += normalCharacters(part, text);
      continue;
    }
    checkExpression(part, fail);
    if (sign === '#') {
      if (inLiterals('#')) throw fail('a "#" before the fragment expression');
      fragment = part;
    } else if (sign === '?' || sign === '&') {
      if (inLiterals('#') || (sign === '?' && inLiterals('?')))
        throw fail('a "?" or "#" before the query expression');
      const continued = pairs === undefined ? sign === '&' : pairs.continued;
      if (pairs === undefined && continued && !inLiterals('?')) throw fail('{&...} needs a "?" before it');
      pairs = { variables: [...(pairs?.variables ?? []), ...part.variables], continued };
    } else if (groups.length > 0 && literals.at(-1) === '') {
      groups.push(joined(groups.pop() as Group, part, fail));
    } else {
      groups.push(groupOf([part]));
      literals.push('');
    }
  }
  const [one, other] = groups.filter(({ many }) => many).map(nameOf);
  if (other !== undefined)
    throw fail(`two variables of many segments are ambiguous: "${one ?? ''}" and "${other}"`);
  const variables = variablesOf(parts);
  const keys = variables.map(({ key }) => key);
  const twice = variables.find(({ key }, index) => keys.indexOf(key) !== index);
  if (twice !== undefined) throw fail(`two variables are called "${twice.name}"`);
  const [first = ''] = literals;
  literals[0] = first.replace(/^[^:]*/, (scheme) => scheme.toLowerCase());
  return { literals, groups, pairs, fragment };
}

/** All variables of a template, in order. */
export function variablesOf(parts: readonly Part[]): readonly Variable[] {
  return parts.flatMap((part) => (typeof part === 'string' ? [] : part.variables));
}

function groupOf(members: readonly Expression[]): Group {
  return {
    members,
    many: members.some(({ operator }) => operator.sign === '+' || operator.sign === '/'),
    optional: members.every(({ operator }) => operator.optional),
  };
}

/** Values hold neither "/" nor ";" unless they are written with {+v}: what begins with one of these may follow at once. */
function joined(group: Group, next: Expression, fail: (problem: string) => TypeError): Group {
  const { sign } = next.operator;
  const clear = sign === '/' || sign === ';';
  const { members } = group;
  if (!clear || members.some(({ operator }) => operator.sign === '+' || operator.sign === sign)) {
    const names = `"${nameOf(group)}" and "${next.variables[0]?.name ?? ''}"`;
    throw fail(`adjacent variables are ambiguous: put a literal between ${names}`);
  }
  return groupOf([...members, next]);
}

function checkExpression({ operator, variables }: Expression, fail: (problem: string) => TypeError): void {
  const [first, second] = variables.map(({ name }) => name);
  if (operator.reserved && second !== undefined)
    throw fail(`two variables of many segments are ambiguous: "${first ?? ''}" and "${second}"`);
  if (operator.named) return;
  const early = variables.slice(0, -1).find(({ explode }) => explode);
  if (early !== undefined) throw fail(`nothing may follow "${early.name}*" in its expression`);
}

function nameOf({ members }: Group): string {
  return members.at(-1)?.variables.at(-1)?.name ?? '';
}
