import { McpError } from '@rxmcp/core';
import { quoted } from '@rxmcp/core/internal';
import { expandTemplate } from './expand.js';
import { matcher } from './match.js';
import { parseTemplate } from './parse.js';
import { escapeOf } from './traversal.js';
import { maxUriLength, normalUri } from './uri.js';
import type { TemplateVars } from './vars.js';

/** A uri template that can be filled in and read back. */
export interface UriTemplate<T extends string = string> {
  readonly text: T;
  /** The names of its variables, in order. */
  readonly variables: readonly string[];
  /**
   * Makes the uri; variables of the query may be left out. Throws PARAMS_INVALID for a missing or unknown variable, a slash
   * where one segment is meant, a value that leads out (`..`), and whenever the uri would not read back as the same values.
   */
  expand(vars: TemplateVars<T>): string;
  /**
   * Reads the variables, percent-decoded once; undefined for a uri that does not match. Takes time in proportion to the
   * uri's length. Throws PARAMS_INVALID for a value that leads out of where it belongs.
   */
  match(uri: string): TemplateVars<T> | undefined;
}

/** Options of {@link uriTemplate}. */
export interface UriTemplateOptions {
  /** Variables that may hold `..`, NUL, backslashes, encoded slashes, drives and absolute paths. @default none */
  readonly dangerouslyAllow?: readonly string[];
}

/**
 * Reads a uri template (RFC 6570: literals, `{v}` for one segment, `{+v}` for many, `{?a,b}` for optional query pairs in
 * any order). At most 8,192 characters and 256 variables. Throws a TypeError for what is not supported or ambiguous.
 */
export function uriTemplate<const T extends string>(
  text: T,
  options: UriTemplateOptions = {},
): UriTemplate<T> {
  const parsed = parseTemplate(text);
  const { path, query, variables } = parsed;
  const unguarded = new Set(options.dangerouslyAllow);
  const stranger = [...unguarded].find((name) => !variables.includes(name));
  if (stranger !== undefined)
    throw new TypeError(`uri template ${quoted(text)} has no variable ${quoted(stranger)}`);
  const places = new Map([
    ...path.map(({ name, many }) => [name, many ? 'path' : 'segment'] as const),
    ...(query ?? []).map((name) => [name, 'query'] as const),
  ]);
  const find = matcher(parsed);

  const match = (uri: string): TemplateVars<T> | undefined => {
    const raw = find(uri);
    if (raw === undefined) return undefined;
    const values = [...raw].map(([name, rawValue]): [string, string] => {
      const value = decoded(uri, name, rawValue);
      const problem = unguarded.has(name)
        ? undefined
        : escapeOf(name, places.get(name) ?? 'segment', rawValue, value);
      if (problem !== undefined) throw new McpError('PARAMS_INVALID', `uri ${quoted(uri)}: ${problem}`);
      return [name, value];
    });
    return Object.fromEntries(values) as TemplateVars<T>;
  };

  return {
    text,
    variables,
    match: (uri) => {
      const normal = normalOrNothing(uri);
      return normal === undefined ? undefined : match(normal);
    },
    expand: (vars) => {
      const given = vars as Readonly<Record<string, string | undefined>>;
      const uri = expandTemplate(text, parsed, given, unguarded);
      if (uri.length > maxUriLength)
        throw new McpError('PARAMS_INVALID', `uri template ${quoted(text)}: too long a uri`);
      const back = match(normalUri(uri)) as typeof given | undefined;
      const odd = variables.find(
        (name) => back?.[name] !== (Object.hasOwn(given, name) ? given[name] : undefined),
      );
      if (odd === undefined) return uri;
      const problem = `"${odd}" would not read back from ${quoted(uri)}: it holds what stands between the variables`;
      throw new McpError('PARAMS_INVALID', `uri template ${quoted(text)}: ${problem}`);
    },
  };
}

function decoded(uri: string, name: string, raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch (cause) {
    throw new McpError('PARAMS_INVALID', `uri ${quoted(uri)}: "${name}" is no percent-encoded UTF-8`, {
      cause,
    });
  }
}

function normalOrNothing(uri: string): string | undefined {
  try {
    return normalUri(uri);
  } catch {
    return undefined;
  }
}
