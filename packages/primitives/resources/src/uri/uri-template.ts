import { RxmcpError } from '@rxmcp/core';
import { checkUriLength, quoted } from '@rxmcp/core/internal';
import { placedIn, valueOf } from './decode.js';
import { type TemplateValue, beginning } from './expand.js';
import { matcher } from './match.js';
import { parseTemplate } from './parse.js';
import { shapeOf, variablesOf } from './shape.js';
import { expandStrictly, given } from './strict-expand.js';
import { normalUri } from './uri.js';

/** A URI template that can be expanded and matched. */
export interface UriTemplate<T extends string = string> {
  readonly text: T;
  /** The names of its variables, in order. */
  readonly variables: readonly string[];
  /**
   * Expands the template to a URI. Optional variables of {@link TemplateVariables} may be omitted; `{v:3}` takes the first three
   * characters. Throws INVALID_PARAMS for a missing or unknown variable, a slash in a single segment, a value that leads out of its
   * folder (`..`), and if the URI would not match with the same values.
   */
  expand(vars: TemplateVariables<T>): string;
  /**
   * Returns the variables of a URI, percent-decoded once; undefined if the URI does not match. Takes time proportional to the
   * length of the URI. Throws INVALID_PARAMS for a value that leads out of its folder.
   */
  match(uri: string): TemplateVariables<T> | undefined;
}

/** Options of {@link uriTemplate}. */
export interface UriTemplateOptions {
  /** Variables that may hold `.`, `..`, NUL, backslashes, encoded slashes, empty segments, drives and absolute paths. @default none */
  readonly dangerouslyAllow?: readonly string[];
}

/**
 * Parses a URI template (RFC 6570, all levels) of at most 8,192 characters and 256 variables.
 * @throws TypeError for an invalid template and for one whose values cannot be read back unambiguously, such as one
 * with two adjacent variables
 */
export function uriTemplate<const T extends string>(
  text: T,
  options: UriTemplateOptions = {},
): UriTemplate<T> {
  const parts = parseTemplate(text);
  const find = matcher(shapeOf(text, parts));
  const variables = variablesOf(parts);
  const names = variables.map(({ name }) => name);
  const unguarded = new Set(options.dangerouslyAllow);
  const unknownName = [...unguarded].find((name) => !names.includes(name));
  if (unknownName !== undefined)
    throw new TypeError(`uri template ${quoted(text)} has no variable ${quoted(unknownName)}`);
  const placed = new Map(
    parts
      .flatMap((part) => (typeof part === 'string' ? [] : placedIn(part)))
      .map((one) => [one.variable.name, one] as const),
  );

  const match = (uri: string): Readonly<Record<string, TemplateValue>> | undefined => {
    const raw = find(uri);
    if (raw === undefined) return undefined;
    const values: [string, TemplateValue][] = [];
    for (const [name, one] of placed) {
      const rawValue = raw.get(name);
      if (rawValue === undefined) continue;
      const value = valueOf(uri, one, rawValue, unguarded.has(name));
      if (value === undefined) return undefined;
      values.push([name, value]);
    }
    return Object.fromEntries(values);
  };

  return {
    text,
    variables: names,
    match: (uri) => {
      const normal = normalOrNothing(uri);
      return normal === undefined ? undefined : (match(normal) as TemplateVariables<T> | undefined);
    },
    expand: (vars) => {
      const fail = (problem: string): RxmcpError =>
        new RxmcpError('INVALID_PARAMS', `uri template ${quoted(text)}: ${problem}`);
      const uri = expandStrictly(text, parts, vars, unguarded);
      checkUriLength(`uri template ${quoted(text)}`, uri);
      const normal = normalOrNothing(uri);
      if (normal === undefined) throw fail(`${quoted(uri)} is not a valid uri`);
      const back = match(normal) ?? {};
      const odd = variables.find(({ name, prefix }) => {
        const value = given(vars, name);
        return !same(typeof value === 'string' ? beginning(value, prefix) : value, back[name]);
      });
      if (odd === undefined) return uri;
      throw fail(
        `"${odd.name}" would not read back from ${quoted(uri)}: it holds a separator of the template`,
      );
    },
  };
}

function same(one: TemplateValue | undefined, other: TemplateValue | undefined): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  if (Array.isArray(one) !== Array.isArray(other) || keys.length !== others.length) return false;
  const values = one as Readonly<Record<string, string>>;
  return keys.every((key) => Object.hasOwn(other, key) && values[key] === (other as typeof values)[key]);
}

function normalOrNothing(uri: string): string | undefined {
  try {
    return normalUri(uri);
  } catch {
    return undefined;
  }
}

/**
 * The variables of a URI template by name, inferred from a literal text: a string for `{v}`, a list for `{v*}`, a list or
 * pairs for `{?v*}`. Variables of `{.v}`, `{/v}`, `{;v}`, `{?v}`, `{&v}` and `{#v}` are optional.
 */
export type TemplateVariables<T extends string> = string extends T
  ? { readonly [name: string]: TemplateValue }
  : Flat<Collected<T>>;

type Collected<T extends string> = T extends `${string}{${infer Expression}}${infer Rest}`
  ? Named<Expression> & Collected<Rest>
  : unknown;

type Named<Expression extends string> = Expression extends `${'?' | '&' | ';'}${infer Specs}`
  ? {
      readonly [Spec in Split<Specs> as Name<Spec>]?: Spec extends `${string}*`
        ? Exclude<TemplateValue, string>
        : string;
    }
  : Expression extends `${'.' | '/' | '#'}${infer Specs}`
    ? { readonly [Spec in Split<Specs> as Name<Spec>]?: Value<Spec> }
    : {
        readonly [
          Spec in Split<Expression extends `+${infer Specs}` ? Specs : Expression> as Name<Spec>
        ]: Value<Spec>;
      };

type Value<Spec extends string> = Spec extends `${string}*` ? readonly string[] : string;

type Name<Spec extends string> = Spec extends `${infer Name}*`
  ? Name
  : Spec extends `${infer Name}:${string}`
    ? Name
    : Spec;

type Split<Specs extends string> = Specs extends `${infer First},${infer Rest}` ? First | Split<Rest> : Specs;

type Flat<T> = { [K in keyof T]: T[K] };
