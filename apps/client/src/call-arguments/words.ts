import { accessSync, constants, readFileSync } from 'node:fs';
import type { JsonObject } from 'rxmcp';
import { UsageError } from '@rxmcp/app-serving/usage-error';

/** One argument, as it was written. */
export type GivenArgument =
  | { readonly name: string; readonly kind: 'text'; readonly text: string }
  | { readonly name: string; readonly kind: 'json'; readonly value: unknown }
  | { readonly name: string; readonly kind: 'file'; readonly bytes: Buffer; readonly file: string };

/** The forms of a word, for help and errors. */
export const argumentForms =
  'NAME=VALUE, NAME:=JSON, NAME=@FILE, NAME:=@FILE, a JSON object, or - for a JSON object on standard input';

const pair = /^([^\s={["@-][^=]*?)(:?=)(@?)(.*)$/s;

/** Checks words before anything is read or sent. Throws a UsageError. */
export function checkWords(words: readonly string[]): void {
  for (const word of words) {
    if (word === '-') continue;
    const [, name = '', sign, at, text = ''] = pair.exec(word) ?? [];
    if (sign === undefined) wordObject(word);
    else if (at === '@') fromFile(name, text, (file) => accessSync(file, constants.R_OK));
    else if (sign === ':=') jsonOf(text, `the argument "${name}"`);
  }
}

/** Reads words, the later of two with one name last. Rejects with a UsageError. */
export async function givenArguments(
  words: readonly string[],
  standardInput: () => Promise<string>,
): Promise<readonly GivenArgument[]> {
  const given: GivenArgument[] = [];
  for (const word of words) {
    const [, name = '', sign, at, text = ''] = pair.exec(word) ?? [];
    if (sign === undefined) {
      const object = word === '-' ? objectOf(await standardInput(), 'standard input') : wordObject(word);
      for (const [key, value] of Object.entries(object)) given.push({ name: key, kind: 'json', value });
    } else if (at === '@') {
      const bytes = fromFile(name, text, (file) => readFileSync(file));
      if (sign === '=') given.push({ name, kind: 'file', bytes, file: text });
      else given.push({ name, kind: 'json', value: jsonOf(bytes.toString('utf8'), text) });
    } else if (sign === ':=')
      given.push({ name, kind: 'json', value: jsonOf(text, `the argument "${name}"`) });
    else given.push({ name, kind: 'text', text });
  }
  return given;
}

/** Reads words whose values are strings. Rejects with a UsageError for other values. */
export async function stringArguments(
  words: readonly string[],
  standardInput: () => Promise<string>,
): Promise<Readonly<Record<string, string>>> {
  const args = new Map<string, string>();
  for (const one of await givenArguments(words, standardInput)) {
    // The last one of its name is also the last of all, which `complete` completes.
    args.delete(one.name);
    args.set(one.name, stringOf(one));
  }
  return Object.fromEntries(args);
}

function stringOf(one: GivenArgument): string {
  if (one.kind === 'text') return one.text;
  if (one.kind === 'file') return textOf(one.bytes, one.file);
  if (typeof one.value === 'string') return one.value;
  throw new UsageError(`the argument "${one.name}" must be a string, got ${JSON.stringify(one.value)}`);
}

/** The text of a file. Throws a UsageError if it is not UTF-8. */
export function textOf(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageError(`the file ${file} is not text in UTF-8`);
  }
}

function wordObject(word: string): JsonObject {
  if (/^\s*[{[]/.test(word)) return objectOf(word, 'ARGS');
  throw new UsageError(
    `${JSON.stringify(word)} is not an argument. Write ${argumentForms}. TARGET is the last word, and a command that starts a server stands after --`,
  );
}

function objectOf(text: string, where: string): JsonObject {
  const value = jsonOf(text, where, `. Write ${argumentForms}`);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new UsageError(`${where} must be one JSON object, such as {"a": 1}`);
}

function jsonOf(text: string, where: string, advice = ''): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`${where} is not valid JSON: ${(cause as Error).message}${advice}`);
  }
  for (const [number] of text.replace(strings, '""').matchAll(numbers)) checkNumber(number);
  return value;
}

const strings = /"(?:[^"\\]|\\.)*"/gs;
const numbers = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;

/** Throws a UsageError for a number of JSON that would be sent as another one. */
export function checkNumber(text: string): void {
  const value = Number(text);
  const isSame = String(value) === text || !/^-?\d+$/.test(text) || BigInt(text) === BigInt(value);
  if (Number.isFinite(value) && isSame) return;
  throw new UsageError(
    `the number ${text} cannot be sent exactly. Pass it as a string if the tool takes one: NAME:='"${text}"'`,
  );
}

/** Reads the file of an argument. Throws a UsageError if it cannot be read. */
function fromFile<T>(name: string, file: string, read: (file: string) => T): T {
  try {
    return read(file);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new UsageError(
      `the file ${file} of the argument "${name}" cannot be read: ${code ?? String(cause)}`,
    );
  }
}
