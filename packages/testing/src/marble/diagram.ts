import type { JsonObject } from '@rxmcp/core';
import { subscriptionId } from '../replay/ids.js';
import type { Frame, MessageFrame, RecordedTraits, Side } from '../wire/recording.js';
import { eventsOf } from './streams.js';

type Message = MessageFrame['message'];

/**
 * The meaning of one letter of a diagram: a line as in a transcript (`> #1 tools/list`), a message of one side, the end of
 * one lane, the clean close of one side, or several of these at the same time.
 */
export type DiagramFrame =
  | string
  | { readonly client: Message; readonly lane?: number }
  | { readonly server: Message; readonly lane?: number }
  | { readonly left: Side; readonly lane: number }
  | { readonly closed: Side }
  | readonly DiagramFrame[];

/** The frames of a diagram, by their letters. */
export type DiagramFrames = Readonly<Record<string, DiagramFrame>>;

const cancel = '\u0001';

/**
 * Reads a diagram of one connection: a letter is a frame, `!` cancels the newest request without a response, `|` is the client's
 * close, `#` is a lost connection.
 */
export function connectionOf(
  diagram: string,
  frames: DiagramFrames,
  plays: Side,
  traits: RecordedTraits,
): { readonly frames: readonly Frame[]; readonly lengthMs: number } {
  const { events, lengthMs } = eventsOf(diagram.replaceAll('!', cancel));
  const connection = 1;
  const drawn: Frame[] = [{ type: 'opened', connection, at: 0, traits }];
  const place = (at: number, frame: DiagramFrame): void => {
    if (typeof frame === 'string') drawn.push({ type: 'message', connection, at, ...frameOf(frame) });
    else if (isMany(frame)) for (const one of frame) place(at, one);
    else if ('left' in frame)
      drawn.push({ type: 'lane-closed', connection, at, from: frame.left, lane: frame.lane });
    else if ('closed' in frame) drawn.push({ type: 'closed', connection, at, from: frame.closed });
    else {
      const [from, message] =
        'client' in frame ? (['client', frame.client] as const) : (['server', frame.server] as const);
      const lane = frame.lane === undefined ? {} : { lane: frame.lane };
      drawn.push({ type: 'message', connection, at, from, message, ...lane });
    }
  };
  for (const { frame: at, notification } of events) {
    if (notification.kind === 'C') drawn.push({ type: 'closed', connection, at, from: 'client' });
    else if (notification.kind === 'E')
      drawn.push({ type: 'closed', connection, at, from: plays, error: lost });
    else if (notification.value === cancel) drawn.push(cancelOf(drawn, at));
    else {
      const letter = notification.value as unknown as string;
      const frame = Object.hasOwn(frames, letter) ? frames[letter] : undefined;
      if (frame === undefined) throw new TypeError(`the diagram has a letter without a frame: "${letter}"`);
      place(at, frame);
    }
  }
  return { frames: drawn, lengthMs };
}

const lost = { code: 'CONNECTION_LOST', message: 'the connection was lost, as drawn' };

function isMany(frame: DiagramFrame): frame is readonly DiagramFrame[] {
  return Array.isArray(frame);
}

/** On a transport with lanes, ending the lane cancels its request; elsewhere a notification does. */
function cancelOf(drawn: readonly Frame[], at: number): Frame {
  const open = new Map<string, MessageFrame>();
  for (const frame of drawn) {
    if (frame.type !== 'message' || Array.isArray(frame.message)) continue;
    const { id, method } = frame.message as JsonObject;
    if (id === undefined) continue;
    if (method === undefined) open.delete(`${frame.from === 'client' ? 'server' : 'client'} ${String(id)}`);
    else open.set(`${frame.from} ${String(id)}`, frame);
  }
  const asked = [...open.values()].at(-1);
  if (asked === undefined)
    throw new TypeError('the diagram cancels a request with "!", but no request is open');
  const { from, lane, connection } = asked;
  if (lane !== undefined) return { type: 'lane-closed', connection, at, from, lane };
  const params = { requestId: (asked.message as JsonObject).id, reason: '<redacted>' };
  const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params } as JsonObject;
  return { type: 'message', connection, at, from, message };
}

const grammar = /^([<>])\s+(?:#(\d+)\s+)?(\S+)(?:\s+([{[].*))?$/s;

/** Reads a line of a transcript, such as `> #1 tools/call {"name":"greet"}`; `"#1"` is the id of that request. */
export function frameOf(line: string): { readonly from: Side; readonly message: JsonObject } {
  const [, sign, number, word, body] = grammar.exec(line.trim()) ?? [];
  if (word === undefined) throw new TypeError(`not a line of a transcript: "${line}"`);
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
  const restoredIds = names.flatMap((name) => {
    const value = of[name];
    return typeof value === 'string' && /^#\d+$/.test(value) ? [[name, Number(value.slice(1))]] : [];
  });
  return { ...of, ...Object.fromEntries(restoredIds) } as JsonObject;
}
