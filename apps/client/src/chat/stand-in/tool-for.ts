import type { JsonObject } from 'rxmcp';
import type { ToolDefinition } from 'rxmcp/sampling';
import { wordsOf } from '../../asked/text-segments.js';

/** A tool and its input. */
export interface ChosenTool {
  readonly name: string;
  readonly input: JsonObject;
}

/**
 * Chooses the tool that shares the most words with a question, among those whose required arguments the question has; undefined if none
 * shares a word.
 */
export function toolFor(question: string, tools: readonly ToolDefinition[]): ChosenTool | undefined {
  const asked = stems(question);
  let best: (ChosenTool & { readonly score: number }) | undefined;
  for (const { name, description = '', inputSchema } of tools) {
    const named = stems(name.replace(/[_-]+/g, ' '));
    const input = inputFor(question, inputSchema, named);
    if (input === undefined) continue;
    const described = stems(description);
    let score = 0;
    for (const word of asked) score += (named.has(word) ? 2 : 0) + (described.has(word) ? 1 : 0);
    if (score > (best?.score ?? 0)) best = { name, input, score };
  }
  return best === undefined ? undefined : { name: best.name, input: best.input };
}

// Words that are in every question and every description.
const common = new Set(
  'a an and are at by for from get has have how i in is it its me my of on or please returns s show tell that the there this to what which who with you'.split(
    ' ',
  ),
);

function stems(text: string): Set<string> {
  const words = wordsOf(text).map(({ segment }) => segment.toLowerCase());
  return new Set(words.filter((word) => !common.has(word)).map(stem));
}

const stem = (word: string): string => word.replace(/(?<=...)s$/, '');

/** The words of a question besides those that name a tool; undefined if none names it. */
function wordsAfter(question: string, named: ReadonlySet<string>): string | undefined {
  const words = question.split(/\s+/).map((word) => word.replace(/^\p{P}+|\p{P}+$/gu, ''));
  const isName = (word: string): boolean => named.has(stem(word.toLowerCase()));
  const rest = words.filter((word) => word !== '' && !common.has(word.toLowerCase()) && !isName(word));
  return words.some(isName) && rest.length > 0 ? rest.join(' ') : undefined;
}

/** The input that a schema requires, taken from the question; undefined if something is missing. */
function inputFor(question: string, schema: JsonObject, named: ReadonlySet<string>): JsonObject | undefined {
  const { properties = {}, required = [] } = schema as { properties?: JsonObject; required?: unknown };
  const input: Record<string, unknown> = {};
  const values = new Values(question, wordsAfter(question, named));
  for (const name of Array.isArray(required) ? (required as unknown[]) : []) {
    if (typeof name !== 'string') return undefined;
    const value = values.take(name, (properties[name] ?? {}) as JsonObject);
    if (value === undefined) return undefined;
    input[name] = value;
  }
  return input;
}

/** The values in a question: places, numbers, quoted texts, or all words but the name of the tool. Each number and text is taken once. */
class Values {
  readonly #numbers: number[];
  readonly #quotes: string[];

  constructor(
    private readonly question: string,
    private words: string | undefined,
  ) {
    this.#numbers = [...question.matchAll(/(?<![\w.])-?\d+(?:\.\d+)?/g)].map(([text]) => Number(text));
    this.#quotes = [...question.matchAll(/"([^"]*)"|`([^`]*)`/g)].map(([, one, other]) => one ?? other ?? '');
  }

  take(name: string, { type, enum: choices, pattern }: JsonObject): unknown {
    if (Array.isArray(choices))
      return choices.find((one) => this.question.toLowerCase().includes(String(one).toLowerCase()));
    if (type === 'number' || type === 'integer') {
      const place = valueIn(this.question, places);
      if (/^lat/i.test(name) && place !== undefined) return place.latitude;
      if (/^(?:lon|lng)/i.test(name) && place !== undefined) return place.longitude;
      return this.#numbers.shift();
    }
    if (type === 'boolean') return true;
    if (type !== 'string' && type !== undefined) return undefined;
    if (/state/i.test(name)) return valueIn(this.question, states) ?? /\b[A-Z]{2}\b/.exec(this.question)?.[0];
    if (/uri|url/i.test(name)) return /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/i.exec(this.question)?.[0];
    const quote = this.#quotes.shift();
    if (quote !== undefined || pattern !== undefined) return quote;
    const text = /:\s+(\S.*)$/s.exec(this.question)?.[1] ?? this.words;
    this.words = undefined;
    return text;
  }
}

/** A place on earth, in degrees. */
interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

const places: Readonly<Record<string, Place>> = {
  Sacramento: { latitude: 38.58, longitude: -121.49 },
  Austin: { latitude: 30.27, longitude: -97.74 },
  Boston: { latitude: 42.36, longitude: -71.06 },
  Chicago: { latitude: 41.88, longitude: -87.63 },
  Denver: { latitude: 39.74, longitude: -104.99 },
  London: { latitude: 51.51, longitude: -0.13 },
  'New York': { latitude: 40.71, longitude: -74.01 },
  Seattle: { latitude: 47.61, longitude: -122.33 },
};

const states: Readonly<Record<string, string>> = {
  California: 'CA',
  Colorado: 'CO',
  Florida: 'FL',
  Illinois: 'IL',
  Massachusetts: 'MA',
  'New York': 'NY',
  Texas: 'TX',
  Washington: 'WA',
};

function valueIn<T>(text: string, table: Readonly<Record<string, T>>): T | undefined {
  const name = Object.keys(table).find((one) => new RegExp(`\\b${one}\\b`, 'i').test(text));
  return name === undefined ? undefined : table[name];
}
