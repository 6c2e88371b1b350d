import type { JsonObject } from '@rxmcp/core';
import type { Side } from '../wire/recording.js';

const grammar = /^([<>])\s+(?:#(\d+)\s+)?(\S+)(?:\s+([{[].*))?$/s;

/** Reads a line as a transcript writes it, such as `> #1 tools/call {"name":"greet"}`; `"#1"` stands for the id of that request. */
export function frameOf(line: string): { readonly from: Side; readonly message: JsonObject } {
  const [, sign, number, word, body] = grammar.exec(line.trim()) ?? [];
  if (word === undefined) throw new TypeError(`no frame of the wire: "${line}"`);
  const from = sign === '>' ? 'client' : 'server';
  const id = number === undefined ? {} : { id: Number(number) };
  const content = body === undefined ? undefined : (JSON.parse(body, restored) as JsonObject);
  const jsonrpc = '2.0';
  if (word === 'result') return { from, message: { jsonrpc, ...id, result: content ?? {} } as JsonObject };
  if (word === 'error') return { from, message: { jsonrpc, ...id, error: content ?? {} } as JsonObject };
  const params = content === undefined ? {} : { params: content };
  return { from, message: { jsonrpc, ...id, method: word, ...params } as JsonObject };
}

const naming: ReadonlySet<string> = new Set([
  'requestId',
  'progressToken',
  'io.modelcontextprotocol/subscriptionId',
]);

function restored(name: string, value: unknown): unknown {
  if (!naming.has(name) || typeof value !== 'string' || !/^#\d+$/.test(value)) return value;
  return Number(value.slice(1));
}
