import { quoted } from '@rxmcp/core/internal';
import { normalCharacters } from './uri.js';

/** How the expressions of a uri template begin; the empty one is that of `{v}` (RFC 6570 section 2.2). */
export type OperatorSign = '' | '+' | '#' | '.' | '/' | ';' | '?' | '&';

/** What an operator does with its values (RFC 6570 appendix A). */
export interface Operator {
  readonly sign: OperatorSign;
  /** What stands before the first value. */
  readonly first: string;
  /** What stands between values. */
  readonly between: string;
  /** Whether each value stands behind the name of its variable. */
  readonly named: boolean;
  /** What stands between a name and an empty value. */
  readonly ifEmpty: '' | '=';
  /** Whether reserved characters stay as they are. */
  readonly reserved: boolean;
  /** Whether its variables may be left out where a uri is read. */
  readonly optional: boolean;
}

const rows: readonly Operator[] = [
  { sign: '', first: '', between: ',', named: false, ifEmpty: '', reserved: false, optional: false },
  { sign: '+', first: '', between: ',', named: false, ifEmpty: '', reserved: true, optional: false },
  { sign: '#', first: '#', between: ',', named: false, ifEmpty: '', reserved: true, optional: true },
  { sign: '.', first: '.', between: '.', named: false, ifEmpty: '', reserved: false, optional: true },
  { sign: '/', first: '/', between: '/', named: false, ifEmpty: '', reserved: false, optional: true },
  { sign: ';', first: ';', between: ';', named: true, ifEmpty: '', reserved: false, optional: true },
  { sign: '?', first: '?', between: '&', named: true, ifEmpty: '=', reserved: false, optional: true },
  { sign: '&', first: '&', between: '&', named: true, ifEmpty: '=', reserved: false, optional: true },
];
const operators: ReadonlyMap<string, Operator> = new Map(rows.map((row) => [row.sign, row]));

/** One variable of an expression: `{v}`, `{v*}` that takes many values, `{v:3}` that takes three characters. */
export interface Variable {
  /** As the template has it: its escapes are not decoded (RFC 6570 section 2.3). */
  readonly name: string;
  /** The name as a normal uri has it. */
  readonly key: string;
  readonly explode: boolean;
  readonly prefix: number | undefined;
}

/** What stands between braces. */
export interface Expression {
  readonly operator: Operator;
  readonly variables: readonly Variable[];
}

/** A literal, or an expression. */
export type Part = string | Expression;

/** Longest template. */
const maxTemplateLength = 8_192;
/** Most variables of a template. */
const maxVariables = 256;

/** Parses a URI template (RFC 6570, all levels). Throws a TypeError for an invalid or too large one. */
export function parseTemplate(text: string): readonly Part[] {
  if (text.length > maxTemplateLength)
    throw new TypeError(`a uri template of ${text.length} characters is too long`);
  const parts: Part[] = [];
  let count = 0;
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('{', at);
    const literal = text.slice(at, open === -1 ? text.length : open);
    if (literal.includes('}')) throw templateError(text, 'a "}" without its "{"');
    if (literal !== '') parts.push(literal);
    if (open === -1) break;
    const close = text.indexOf('}', open);
    if (close === -1) throw templateError(text, 'a "{" without its "}"');
    const parsed = expression(text, text.slice(open + 1, close));
    count += parsed.variables.length;
    if (count > maxVariables) throw templateError(text, `${count} variables are too many`);
    parts.push(parsed);
    at = close + 1;
  }
  return parts;
}

/** What is wrong with a template. */
export function templateError(text: string, problem: string): TypeError {
  return new TypeError(`uri template ${quoted(text)}: ${problem}`);
}

function expression(text: string, inner: string): Expression {
  const sign = /^[+#./;?&=,!@|]/.exec(inner)?.[0] ?? '';
  const operator = operators.get(sign);
  if (operator === undefined)
    throw templateError(text, `{${inner}} is not supported: RFC 6570 keeps "${sign}" for later`);
  const variables = inner
    .slice(sign.length)
    .split(',')
    .map((spec) => variable(text, inner, spec));
  return { operator, variables };
}

function variable(text: string, inner: string, spec: string): Variable {
  const [, name, explode, prefix] = syntax.exec(spec) ?? [];
  if (name === undefined) {
    const rule =
      'a name has ASCII letters, digits, "_", "." and escapes such as "%20", behind it "*" or ":" and a length up to 9999';
    throw templateError(text, `{${inner}} is not supported: ${rule}`);
  }
  return {
    name,
    key: normalCharacters(name, text),
    explode: explode !== undefined,
    prefix: prefix === undefined ? undefined : Number(prefix),
  };
}

const syntax =
  /^((?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+(?:\.(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+)*)(?:(\*)|:([1-9]\d{0,3}))?$/;
