import { RxmcpError } from '@rxmcp/core';
import { checkUriLength, isObject, quoted } from '@rxmcp/core/internal';
import { type Operator, type Expression, type Part, type Variable, parseTemplate } from './parse.js';
import { encodedText } from './uri.js';

/** The value of a variable: a text, a list, or pairs. */
export type TemplateValue = string | readonly string[] | Readonly<Record<string, string>>;

/** How characters are written in a uri; `among`: as one of several values, which something stands between. */
type Encode = (value: string, operator: Operator, among: boolean) => string;

/**
 * Expands any URI template of RFC 6570, all levels. Missing variables, `[]` and `{}` expand to nothing, and the template may be
 * only a part of a URI. For the templates of other servers; for your own prefer `expand` of {@link uriTemplate}, which ensures
 * that the server reads the same values.
 * @throws TypeError for an invalid template, and INVALID_PARAMS for an invalid value and for a URI of more than
 * 65,536 characters
 */
export function expandUriTemplate(
  text: string,
  vars: Readonly<Record<string, TemplateValue | undefined>>,
): string {
  const uri = expandParts(
    text,
    parseTemplate(text).map((part) => (typeof part === 'string' ? asWritten(text, part) : part)),
    vars,
    (value, { reserved }) => (reserved ? asWritten(text, value) : encoded(value)),
  );
  checkUriLength(`uri template ${quoted(text)}`, uri);
  return uri;
}

/** Expands parts. Throws INVALID_PARAMS for a value that is not a well-formed text, list or pairs. */
export function expandParts(
  text: string,
  parts: readonly Part[],
  vars: Readonly<Record<string, unknown>>,
  encode: Encode,
): string {
  return parts.map((part) => (typeof part === 'string' ? part : expanded(text, part, vars, encode))).join('');
}

/** Everything but unreserved characters is encoded. */
export function encoded(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The beginning of a text, in characters. */
export function beginning(value: string, length: number | undefined): string {
  return length === undefined || value.length <= length ? value : [...value].slice(0, length).join('');
}

function expanded(
  text: string,
  { operator, variables }: Expression,
  vars: Readonly<Record<string, unknown>>,
  encode: Encode,
): string {
  const items = variables.flatMap((variable) => {
    const value = valueOf(text, variable.name, vars);
    return value === undefined ? [] : itemsOf(variable, value, operator, encode);
  });
  return items.length === 0 ? '' : `${operator.first}${items.join(operator.between)}`;
}

function itemsOf(
  { name, explode, prefix }: Variable,
  value: TemplateValue,
  operator: Operator,
  encode: Encode,
): string[] {
  const write = (one: string): string => encode(one, operator, explode);
  const named = (key: string, one: string): string => `${key}${one === '' ? operator.ifEmpty : `=${one}`}`;
  const own = (one: string): string => (operator.named ? named(name, one) : one);
  if (typeof value === 'string') return [own(write(beginning(value, prefix)))];
  if (isList(value)) return explode ? value.map((one) => own(write(one))) : [own(value.map(write).join(','))];
  const pairs = Object.entries(value);
  if (!explode) return [own(pairs.flat().map(write).join(','))];
  return pairs.map(([key, one]) =>
    operator.named ? named(write(key), write(one)) : `${write(key)}=${write(one)}`,
  );
}

function valueOf(
  text: string,
  name: string,
  vars: Readonly<Record<string, unknown>>,
): TemplateValue | undefined {
  const value = Object.hasOwn(vars, name) ? vars[name] : undefined;
  if (value === undefined || value === null) return undefined;
  const texts =
    typeof value === 'string'
      ? [value]
      : isList(value)
        ? value
        : isObject(value)
          ? Object.entries(value).flat()
          : [0];
  const fail = (problem: string): RxmcpError =>
    new RxmcpError('INVALID_PARAMS', `uri template ${quoted(text)}: "${name}" ${problem}`);
  for (const one of texts) {
    if (typeof one !== 'string') throw fail('must be a string, a list of strings or an object of strings');
    if (encodedText(one) === undefined) throw fail('is no well-formed text');
  }
  return texts.length === 0 ? undefined : (value as TemplateValue);
}

/** Reserved characters and escapes stay, all else that has no place in a uri is encoded. */
function asWritten(text: string, part: string): string {
  return part.replace(/%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]/gu, (found) => {
    if (found.length === 3) return found;
    const safe = encodedText(found);
    if (safe === undefined) throw new TypeError(`uri template ${quoted(text)} has a lone surrogate`);
    return safe;
  });
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}
