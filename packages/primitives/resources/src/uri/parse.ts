import { quoted } from '@rxmcp/core/internal';
import { normalCharacters, schemeOf } from './uri.js';

/** A variable outside of the query: `{v}` holds one segment, `{+v}` many. */
export interface PathVariable {
  readonly name: string;
  readonly many: boolean;
}

/** A template taken apart: literals and variables alternate, so there is one literal more than variables. */
export interface ParsedTemplate {
  readonly literals: readonly string[];
  readonly path: readonly PathVariable[];
  /** The variables of `{?a,b}`; undefined without one. */
  readonly query: readonly string[] | undefined;
  /** All names, in order. */
  readonly variables: readonly string[];
}

/** Longest template. */
export const maxTemplateLength = 8_192;
/** Most variables of a template. */
export const maxVariables = 256;

/**
 * Takes a uri template apart (RFC 6570: literals, `{v}`, `{+v}` and `{?a,b}` at the end). Throws a TypeError for anything
 * else, and for what cannot be matched without doubt: two variables side by side, two of many segments.
 */
export function parseTemplate(text: string): ParsedTemplate {
  if (text.length > maxTemplateLength)
    throw new TypeError(`a uri template of ${text.length} characters is too long`);
  const fail = (problem: string): TypeError => new TypeError(`uri template ${quoted(text)}: ${problem}`);
  schemeOf(text);
  const literals: string[] = [];
  const path: PathVariable[] = [];
  let query: readonly string[] | undefined;
  let at = 0;
  while (at < text.length || literals.length === path.length) {
    const open = text.indexOf('{', at);
    const literal = text.slice(at, open === -1 ? text.length : open);
    if (literal.includes('}')) throw fail('a "}" without its "{"');
    if (query !== undefined) throw fail('nothing may follow the query expression');
    if (literal === '' && path.length > 0 && open !== -1 && text[open + 1] !== '?') {
      throw fail('two variables side by side cannot be told apart, put a literal between them');
    }
    literals.push(normalCharacters(literal, text));
    if (open === -1) break;
    const close = text.indexOf('}', open);
    if (close === -1) throw fail('a "{" without its "}"');
    const expression = text.slice(open + 1, close);
    if (expression.startsWith('?')) query = expression.slice(1).split(',');
    else path.push(variable(expression, fail));
    at = close + 1;
    if (query !== undefined && at === text.length) break;
  }
  const variables = [...path.map(({ name }) => name), ...(query ?? [])];
  checkVariables(variables, path, fail);
  if (query !== undefined && literals.some((literal) => /[?#]/.test(literal))) {
    throw fail('a "?" or "#" before the query expression');
  }
  const [first = ''] = literals;
  literals[0] = first.replace(/^[^:]*/, (scheme) => scheme.toLowerCase());
  return { literals, path, query, variables };
}

function variable(expression: string, fail: (problem: string) => TypeError): PathVariable {
  if (/^[#./;&=,!@|]/.test(expression)) {
    throw fail(`{${expression}} is not supported: only {v}, {+v} and {?a,b} are`);
  }
  const many = expression.startsWith('+');
  return { name: many ? expression.slice(1) : expression, many };
}

function checkVariables(
  variables: readonly string[],
  path: readonly PathVariable[],
  fail: (problem: string) => TypeError,
): void {
  if (variables.length > maxVariables) throw fail(`${variables.length} variables are too many`);
  const odd = variables.find((name) => !/^[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*$/.test(name));
  if (odd !== undefined)
    throw fail(`{${odd}} is not supported: a name has ASCII letters, digits, "_" and "."`);
  const twice = variables.find((name, index) => variables.indexOf(name) !== index);
  if (twice !== undefined) throw fail(`two variables are called "${twice}"`);
  if (path.filter(({ many }) => many).length > 1) {
    throw fail('two variables of many segments cannot be told apart');
  }
}
