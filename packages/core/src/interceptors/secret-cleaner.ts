import type { JsonObject } from '@rxmcp/jsonrpc';
import { endOfString, nextVisible } from '@rxmcp/jsonrpc/internal';
import { isObject } from '../base/checks.js';

/** What a {@link SecretCleaner} removes. */
export interface Secrets {
  readonly keys: readonly string[];
  readonly patterns: readonly RegExp[];
  readonly replacement: string;
}

/** A member of an ask that holds a JSON Schema. There a name describes a value and is not a secret. */
const schemaMember = 'requestedSchema';

/** Removes values under keys, also within texts that are JSON, and matches of patterns in texts and in names. */
export class SecretCleaner {
  readonly #keys: ReadonlySet<string>;
  readonly #patterns: readonly RegExp[];
  readonly #replacement: string;

  constructor({ keys, patterns, replacement }: Secrets) {
    this.#keys = new Set(keys.map((key) => key.toLowerCase()));
    // Sticky or stateful patterns would miss every second match.
    this.#patterns = patterns.map(
      ({ source, flags }) => new RegExp(source, `${flags.replace(/[gy]/g, '')}g`),
    );
    this.#replacement = replacement;
  }

  /** Cleans a text, as JSON if it is a JSON object or array. */
  text(value: string): string {
    return this.#withoutMatches(this.#cleanJson(value));
  }

  /** Cleans a value. Returns the same object if nothing was found, so that its cached text is used. */
  value<T>(value: T): T {
    return this.#clean(value, true);
  }

  /** Cleans the texts of a value that describes data, such as a schema: its names stay, and what is under them. */
  description<T>(value: T): T {
    return this.#clean(value, false);
  }

  #withoutMatches(text: string): string {
    return this.#patterns.reduce(
      (cleaned, pattern) => cleaned.replace(pattern, () => this.#replacement),
      text,
    );
  }

  /** Whether a JSON text has a key, or an escape that may hide one. Other texts need not be read. */
  #mayHaveKey(text: string): boolean {
    if (this.#keys.size === 0) return false;
    if (text.includes('\\')) return true;
    const lower = text.toLowerCase();
    for (const key of this.#keys) if (lower.includes(key)) return true;
    return false;
  }

  /** Replaces within the text, so that the rest stays as it is written: numbers of any length, spaces, repeated members. */
  #cleanJson(text: string): string {
    if (!/^\s*[[{]/.test(text) || !this.#mayHaveKey(text)) return text;
    try {
      JSON.parse(text.trim());
    } catch {
      return text;
    }
    let cleaned = '';
    let copiedTo = 0;
    const replace = (from: number, to: number, by: string): number => {
      cleaned += text.slice(copiedTo, from) + JSON.stringify(by);
      return (copiedTo = to);
    };
    for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
      const end = endOfString(text, at) + 1;
      const said = JSON.parse(text.slice(at, end)) as string;
      const colon = nextVisible(text, end);
      const isName = text[colon] === ':';
      const valueAt = isName ? nextVisible(text, colon + 1) : at;
      const withoutSecret = isName ? said : this.text(said);
      if (isName && this.#keys.has(said.toLowerCase()))
        at = replace(valueAt, endOfValue(text, valueAt), this.#replacement);
      else if (withoutSecret === said) at = isName ? valueAt : end;
      else at = replace(at, end, withoutSecret);
    }
    return cleaned + text.slice(copiedTo);
  }

  #clean<T>(value: T, byName: boolean, isSent = false): T {
    if (typeof value === 'string') return (byName ? this.text(value) : this.#withoutMatches(value)) as T;
    if (typeof value !== 'object' || value === null) return value;
    // JSON.stringify sends the result of toJSON, so that the secret may be in there.
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function' && !isSent)
      return this.#clean(toJSON.call(value, '') as T, byName, true);
    if (Array.isArray(value)) {
      const items = value.map((item: unknown) => this.#clean(item, byName));
      return (items.some((item, at) => item !== value[at]) ? items : value) as T;
    }
    return this.#cleanMembers(value as JsonObject, byName) as T;
  }

  #cleanMembers(value: JsonObject, byName: boolean): JsonObject {
    const members = Object.entries(value);
    let isChanged = false;
    for (const member of members) {
      const [name, held] = member;
      if (byName) member[0] = this.#withoutMatches(name);
      if (byName && this.#keys.has(name.toLowerCase())) member[1] = this.#replacement;
      else if (name === '_meta') member[1] = this.#clean(held, true);
      else member[1] = this.#clean(held, byName && !(name === schemaMember && isSchema(held)));
      isChanged ||= member[0] !== name || member[1] !== held;
    }
    // Also `__proto__` becomes a member of the copy itself.
    return isChanged ? Object.fromEntries(withDistinctNames(members)) : value;
  }
}

/** Returns the index after a JSON value. */
function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start) + 1;
  let at = start;
  if (first !== '{' && first !== '[') {
    while (/[^\s,\]}]/.test(text[at] ?? ' ')) at += 1;
    return at;
  }
  for (let depth = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') at = endOfString(text, at);
    else if (sign === '{' || sign === '[') depth += 1;
    else if ((sign === '}' || sign === ']') && --depth === 0) break;
  }
  return at + 1;
}

function isSchema(value: unknown): boolean {
  return isObject(value) && typeof value.type === 'string';
}

/** Numbers names that have become equal, so that each member stays. */
function withDistinctNames(members: [string, unknown][]): [string, unknown][] {
  const taken = new Set<string>();
  let repeated = 1;
  for (const member of members) {
    const [name] = member;
    while (taken.has(member[0])) member[0] = `${name} ${(repeated += 1)}`;
    taken.add(member[0]);
  }
  return members;
}
