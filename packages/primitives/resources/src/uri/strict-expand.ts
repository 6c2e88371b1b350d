import { RxmcpError } from '@rxmcp/core';
import { isObject, quoted } from '@rxmcp/core/internal';
import { type TemplateValue, encoded, expandParts } from './expand.js';
import type { Operator, Part, Variable } from './parse.js';
import { variablesOf } from './shape.js';
import { normalCharacters } from './uri.js';

/**
 * Fills a template in such that it can be read back. Throws INVALID_PARAMS for a missing or unknown variable and for a value
 * that does not fit.
 */
export function expandStrictly(
  text: string,
  parts: readonly Part[],
  vars: Readonly<Record<string, unknown>>,
  unguarded: ReadonlySet<string>,
): string {
  const fail = (problem: string): RxmcpError =>
    new RxmcpError('INVALID_PARAMS', `uri template ${quoted(text)}: ${problem}`);
  const known = new Set(variablesOf(parts).map(({ name }) => name));
  const unknown = Object.keys(vars).find((name) => !known.has(name));
  if (unknown !== undefined) throw fail(`it has no variable ${quoted(unknown)}`);
  for (const part of parts) {
    if (typeof part === 'string') continue;
    for (const variable of part.variables) {
      const value = given(vars, variable.name);
      const problem = problemOf(part.operator, variable, value, unguarded.has(variable.name));
      if (problem !== undefined) throw fail(`"${variable.name}" ${problem}`);
    }
  }
  return expandParts(
    text,
    parts.map((part, index) => (typeof part === 'string' ? literalOf(text, part, index) : part)),
    vars,
    written,
  );
}

/** A value; nothing where it is left out, which an empty list or object is too. */
export function given(vars: Readonly<Record<string, unknown>>, name: string): TemplateValue | undefined {
  const value = Object.hasOwn(vars, name) ? vars[name] : undefined;
  if (value === null || (typeof value === 'object' && Object.keys(value).length === 0)) return undefined;
  return value as TemplateValue | undefined;
}

function literalOf(text: string, part: string, index: number): string {
  const normal = normalCharacters(part, text);
  return index === 0 ? normal.replace(/^[^:]*/, (scheme) => scheme.toLowerCase()) : normal;
}

function problemOf(
  { sign, named, optional }: Operator,
  { name, explode }: Variable,
  value: unknown,
  unguarded: boolean,
): string | undefined {
  if (value === undefined) return optional ? undefined : 'must not be missing';
  if (!explode && typeof value !== 'string') return 'must be a string';
  if (explode && !Array.isArray(value) && !(named && isObject(value)))
    return named ? 'must be a list of strings or an object of strings' : 'must be a list of strings';
  if (named || sign === '#') return sign === ';' && !unguarded && slashed(value) ? slash(name) : undefined;
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (texts.includes('')) return 'must not be empty';
  return sign !== '+' && !unguarded && slashed(value) ? slash(name) : undefined;
}

function slashed(value: unknown): boolean {
  const texts = typeof value === 'string' ? [value] : Object.entries(value as object).flat();
  return texts.some((text) => typeof text === 'string' && text.includes('/'));
}

function slash(name: string): string {
  return `holds a slash: {${name}} is one segment, {+${name}} takes many`;
}

/**
 * What may stand in its place stays. A percent sign is always data here, and so is a comma in one of several values, so that every
 * value can be read back.
 */
function written(value: string, { sign, reserved }: Operator, among: boolean): string {
  if (!reserved) return encoded(value);
  const stays = sign === '#' ? /%(?:2F|3A|40|24|26|2B|2C|3B|3D|3F)/g : /%(?:2F|3A|40|24|26|2B|2C|3B|3D)/g;
  return encodeURIComponent(value).replace(stays, (found) =>
    among && found === '%2C' ? found : decodeURIComponent(found),
  );
}
