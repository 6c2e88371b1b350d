import { McpError } from '@rxmcp/core';
import { quoted } from '@rxmcp/core/internal';
import type { ParsedTemplate } from './parse.js';
import { encodedText } from './uri.js';

/** Fills a template in. Throws PARAMS_INVALID for a missing or unknown variable and for a value that does not fit. */
export function expandTemplate(
  text: string,
  { literals, path, query, variables }: ParsedTemplate,
  vars: Readonly<Record<string, string | undefined>>,
  unguarded: ReadonlySet<string>,
): string {
  const fail = (problem: string): McpError =>
    new McpError('PARAMS_INVALID', `uri template ${quoted(text)}: ${problem}`);
  const stranger = Object.keys(vars).find((name) => !variables.includes(name));
  if (stranger !== undefined) throw fail(`it has no variable ${quoted(stranger)}`);
  const valueOf = (name: string): string | undefined => {
    const value: unknown = Object.hasOwn(vars, name) ? vars[name] : undefined;
    if (value === undefined) return undefined;
    if (typeof value !== 'string') throw fail(`"${name}" must be a string`);
    if (encodedText(value) === undefined) throw fail(`"${name}" is no well-formed text`);
    return value;
  };
  let uri = literals[0] ?? '';
  for (const [index, { name, many }] of path.entries()) {
    const value = valueOf(name);
    if (value === undefined || value === '')
      throw fail(`"${name}" must not be ${value === '' ? 'empty' : 'missing'}`);
    if (!many && value.includes('/') && !unguarded.has(name)) {
      throw fail(`"${name}" holds a slash: {${name}} is one segment, {+${name}} takes many`);
    }
    uri += `${many ? encodedPath(value) : encoded(value)}${literals[index + 1] ?? ''}`;
  }
  const pairs = (query ?? []).flatMap((name) => {
    const value = valueOf(name);
    return value === undefined ? [] : [`${name}=${encoded(value)}`];
  });
  return pairs.length === 0 ? uri : `${uri}?${pairs.join('&')}`;
}

/** Everything but unreserved characters is encoded. */
function encoded(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** What may stand in a path stays. A percent sign is always data here, so that every value can be read back. */
function encodedPath(value: string): string {
  return encodeURIComponent(value).replace(/%(?:2F|3A|40|24|26|2B|2C|3B|3D)/g, decodeURIComponent);
}
