import {
  all,
  both,
  greeting,
  type Json,
  type Kind,
  megabytes,
  notice,
  type Order,
  sampling,
} from './hostile.js';

const subscriptionId = 'io.modelcontextprotocol/subscriptionId';
const inputSchema = { type: 'object' };
const range = <T>(length: number, made: (at: number) => T): T[] =>
  Array.from({ length }, (_, at) => made(at));

/** Answers each page of a list with a large one and a new cursor. */
const pages = (member: string, description: string): Kind['answer'] => {
  let at = 0;
  return ({ method }, voice) => {
    if (method !== `${member}/list`) return false;
    at += 1;
    const entry = { name: `entry ${String(at)}`, uri: `file:///${String(at)}`, description, inputSchema };
    return voice.result({ [member]: [entry], nextCursor: String(at) });
  };
};

/** Gives one method a result. */
const answered =
  (wanted: string, result: () => object): Kind['answer'] =>
  ({ method }, voice) =>
    method === wanted && voice.result(result());

const called = (content: () => unknown): Kind['answer'] =>
  answered('tools/call', () => ({ content: content() }));

const needed = (requests: Json, requestState = 's'): Kind['answer'] =>
  answered('tools/call', () => ({ resultType: 'input_required', inputRequests: requests, requestState }));

/** Acknowledges a subscription, then says without end that something changed. */
const changes =
  (honoured: Json, made: (at: number, meta: Json) => object, read: Kind['answer']): Kind['answer'] =>
  (asked, voice) => {
    const isListen = asked.method === 'subscriptions/listen';
    if (!isListen && asked.method !== 'GET' && asked.method !== 'resources/subscribe')
      return read(asked, voice);
    return (async () => {
      const meta = isListen ? { _meta: { [subscriptionId]: asked.id } } : {};
      if (isListen)
        await voice.send(notice('subscriptions/acknowledged', { notifications: honoured, ...meta }));
      else if (asked.id !== undefined) await voice.result({});
      for (let at = 0; voice.isOpen; at += 1) await voice.send(made(at, meta));
    })();
  };

const dense = range(190_000, () => ({}));
const deep = JSON.parse('['.repeat(100) + ']'.repeat(100)) as unknown;
const named = Object.fromEntries(range(60_000, (at) => [`member ${String(at)}`.repeat(4), at]));
const described = range(4_000, (at) => ({
  name: `tool ${String(at)}`,
  description: 'x'.repeat(800),
  inputSchema,
  outputSchema: { type: 'object', title: 'y'.repeat(100) },
}));
const properties = Object.fromEntries(range(900, (at) => [`p${String(at)}`, { type: 'string', title: 'x' }]));
const checked = range(60, (at) => ({
  name: `tool ${String(at)}`,
  inputSchema,
  outputSchema: { type: 'object', properties },
}));
const manyAsks = Object.fromEntries(range(32, (at) => [`ask ${String(at)}`, sampling(megabytes(0.12))]));
const longKeys = Object.fromEntries(range(64, (at) => ['k'.repeat(5_000) + String(at), sampling('x')]));

/** A kind over all transports. */
const kind = (
  name: string,
  method: Order['method'],
  times: number,
  answer: Kind['answer'],
  { eras = both, ends }: { readonly eras?: Kind['eras']; readonly ends?: string } = {},
): Kind => ({ name, method, times, answer, eras, over: all, ...(ends === undefined ? {} : { ends }) });

const modern = { eras: ['modern'] } as const;
const overflow = { ends: 'OVERFLOW' };

/** Attacks with what a client asked for. */
export const answers: readonly Kind[] = [
  kind('endless pages of tools', 'tools/list', 1, pages('tools', megabytes(3.9)), overflow),
  kind('endless pages of resources', 'resources/list', 1, pages('resources', megabytes(3.9)), overflow),
  kind('many lists at once', 'tools/list', 8, pages('tools', megabytes(3.9)), overflow),
  kind('pages of two-byte text', 'tools/list', 4, pages('tools', megabytes(3.9, '€')), overflow),
  kind(
    'a large list that changes all the time',
    'list$',
    1,
    changes(
      { toolsListChanged: true },
      (_, meta) => notice('tools/list_changed', meta),
      answered('tools/list', () => ({ tools: described })),
    ),
  ),
  kind(
    'updates of unknown resources',
    'watch',
    1,
    changes(
      { resourceSubscriptions: ['file:///a'] },
      (at, meta) =>
        notice('resources/updated', { uri: `file:///${String(at)}/${'u'.repeat(8_000)}`, ...meta }),
      answered('resources/read', () => ({ contents: [{ uri: 'file:///a', text: 'x' }] })),
    ),
  ),
  // The server makes the longest text of it that the transport takes.
  kind(
    'results of the largest size',
    'tools/call',
    64,
    called(() => [{ type: 'text', text: 'LARGEST' }]),
  ),
  kind(
    'dense results',
    'tools/call',
    32,
    called(() => dense),
  ),
  kind(
    'deep results',
    'tools/call',
    32,
    called(() => [deep]),
  ),
  kind(
    'results with many names',
    'tools/call',
    32,
    called(() => [named]),
  ),
  kind('asks of the largest size', 'tools/call', 32, needed(manyAsks), { ...modern, ...overflow }),
  kind('asks with long keys', 'tools/call', 4, needed(longKeys), { ...modern, ends: 'INVALID_RESULT' }),
  kind('rounds without end', 'tools/call', 4, needed({}, megabytes(3)), modern),
  kind(
    'many large output schemas',
    'checked',
    4,
    answered('tools/list', () => ({ tools: checked })),
  ),
  kind(
    'a huge description of the server',
    'tools/list',
    1,
    ({ method }, voice) =>
      method === (voice.era === 'modern' ? 'server/discover' : 'initialize') &&
      voice.result(greeting(voice.era, { experimental: { x: { bytes: megabytes(3.9) } } })),
    { ends: 'INVALID_RESULT' },
  ),
];
