import type { JsonObject } from '@rxmcp/core';
import { subscriptionId } from '../replay/ids.js';
import type { Side } from '../wire/recording.js';

const grammar = /^([<>])\s+(?:#(\d+)\s+)?(\S+)(?:\s+([{[].*))?$/s;

/** Reads a line as a transcript writes it, such as `> #1 tools/call {"name":"greet"}`; `"#1"` stands for the id of that request. */
export function frameOf(line: string): { readonly from: Side; readonly message: JsonObject } {
  const [, sign, number, word, body] = grammar.exec(line.trim()) ?? [];
  if (word === undefined) throw new TypeError(`no frame of the wire: "${line}"`);
  const from = sign === '>' ? 'client' : 'server';
  const id = number === undefined ? {} : { id: Number(number) };
  const content = body === undefined ? undefined : restored(word, JSON.parse(body) as JsonObject);
  const jsonrpc = '2.0';
  if (word === 'result') return { from, message: { jsonrpc, ...id, result: content ?? {} } as JsonObject };
  if (word === 'error') return { from, message: { jsonrpc, ...id, error: content ?? {} } as JsonObject };
  const params = content === undefined ? {} : { params: content };
  return { from, message: { jsonrpc, ...id, method: word, ...params } as JsonObject };
}

const naming = new Map<string, readonly string[]>([
  ['notifications/cancelled', ['requestId']],
  ['notifications/progress', ['progressToken']],
]);

/** What names a request at its place in the protocol; the same word elsewhere is the user's. */
function restored(word: string, body: JsonObject): JsonObject {
  if (Array.isArray(body)) return body;
  const own = numbered(body, naming.get(word) ?? []);
  const { _meta } = own;
  if (typeof _meta !== 'object' || _meta === null) return own;
  return { ...own, _meta: numbered(_meta as JsonObject, ['progressToken', subscriptionId]) };
}

function numbered(of: JsonObject, names: readonly string[]): JsonObject {
  const told = names.flatMap((name) => {
    const value = of[name];
    return typeof value === 'string' && /^#\d+$/.test(value) ? [[name, Number(value.slice(1))]] : [];
  });
  return { ...of, ...Object.fromEntries(told) } as JsonObject;
}
