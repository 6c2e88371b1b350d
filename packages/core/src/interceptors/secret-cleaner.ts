import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../base/checks.js';

/** What a {@link SecretCleaner} removes. */
export interface Secrets {
  readonly keys: readonly string[];
  readonly patterns: readonly RegExp[];
  readonly replacement: string;
}

/** Members of requests and results that hold a JSON Schema. There a name describes a value and is not a secret. */
const schemaMembers: ReadonlySet<string> = new Set(['inputSchema', 'outputSchema', 'requestedSchema']);

/** Removes values under keys, also within texts that are JSON, and matches of patterns in texts and in names. */
export class SecretCleaner {
  readonly #keys: ReadonlySet<string>;
  readonly #patterns: readonly RegExp[];
  readonly #replacement: string;
  /** Finds a key in a JSON text, or an escape that may hide one, so that other texts need not be parsed. */
  readonly #mayHaveKey: RegExp | undefined;

  constructor({ keys, patterns, replacement }: Secrets) {
    this.#keys = new Set(keys.map((key) => key.toLowerCase()));
    // Sticky or stateful patterns would miss every second match.
    this.#patterns = patterns.map(
      ({ source, flags }) => new RegExp(source, `${flags.replace(/[gy]/g, '')}g`),
    );
    this.#replacement = replacement;
    const names = [...this.#keys].map((key) => key.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
    this.#mayHaveKey = names.length === 0 ? undefined : new RegExp(`\\\\|${names.join('|')}`, 'iu');
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

  #cleanJson(text: string): string {
    if (!/^\s*[[{]/.test(text) || this.#mayHaveKey?.test(text) !== true) return text;
    let parsed: unknown;
    try {
      parsed = JSON.parse(text.trim());
    } catch {
      return text;
    }
    const cleaned = this.value(parsed);
    return cleaned === parsed ? text : JSON.stringify(cleaned);
  }

  #clean<T>(value: T, byName: boolean): T {
    if (typeof value === 'string') return (byName ? this.text(value) : this.#withoutMatches(value)) as T;
    if (typeof value !== 'object' || value === null) return value;
    // JSON.stringify sends the result of toJSON, so that the secret may be in there.
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') {
      const sent = toJSON.call(value, '') as T;
      if (sent !== value) return this.#clean(sent, byName);
    }
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
      else member[1] = this.#clean(held, byName && !(schemaMembers.has(name) && isSchema(held)));
      isChanged ||= member[0] !== name || member[1] !== held;
    }
    // Also `__proto__` becomes a member of the copy itself.
    return isChanged ? Object.fromEntries(withDistinctNames(members)) : value;
  }
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
