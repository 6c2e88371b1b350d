import { sources, table } from './sources.js';

/** Something that a peer can make a process keep, and that is charged. */
interface MemoryAccount {
  readonly counted: string;
  /** The file that charges. */
  readonly file: string;
  readonly holder: string;
  readonly estimate: string;
  readonly until: string;
  /** Beyond the limit of the budget, or the share of the holder. */
  readonly beyond: string;
}

const caller = 'the principal, or the address of an anonymous caller';
const connection = 'the connection';

// prettier-ignore
const accounts: readonly MemoryAccount[] = [
  { counted: 'a request, running or queued, with its parameters and metadata', file: 'packages/core/src/peer/memory.ts', holder: caller, estimate: 'of its text: 2 KiB, 2 bytes for each character, 64 bytes for each value; a text below 4,096 characters counts as the densest one of its length', until: 'its handler has ended, also after a cancellation', beyond: '-31001, over HTTP with 503' },
  { counted: 'a request that an official server of `sdkConnectionHandler` handles', file: 'packages/transport/src/sdk/served-requests.ts', holder: caller, estimate: 'of its text, as for a request', until: 'it has a response, or was cancelled', beyond: '-31001; also where 256 requests of a connection have no response' },
  { counted: 'what a client responds to an ask of a request: in the legacy era each response, in the modern one the answers in `requestState`', file: 'packages/core/src/peer/memory.ts', holder: caller, estimate: '2 KiB, 2 bytes for each character and 64 bytes for each value', until: 'the request has ended', beyond: 'the ask is rejected with -31001, in the modern era the request' },
  { counted: 'a notification whose handler has returned a promise, from the second one of the handler on', file: 'packages/core/src/peer/memory.ts', holder: 'at a server the principal, or the address of an anonymous caller; at a client the connection', estimate: '2 KiB, 2 bytes for each character and 64 bytes for each value', until: 'the promise has settled', beyond: 'it is dropped, with the fault `NOTIFICATION_DROPPED`' },
  { counted: 'a body that has not arrived in full', file: 'packages/transport/src/http/body-reader.ts', holder: caller, estimate: 'the bytes that have arrived; a declared length is nothing', until: 'it is parsed or rejected', beyond: '503' },
  { counted: 'what has arrived of a body while its caller is authenticated', file: 'packages/transport/src/node/unread-body.ts', holder: 'the address of its socket', estimate: 'its bytes, in the budget of the process', until: 'it is read, or the request is answered', beyond: 'the connection is destroyed' },
  { counted: 'a request that waits behind another one of its connection, and the head of each request where that takes more than 8 KiB', file: 'packages/transport/src/node/on-response-closed.ts', holder: 'the address of its socket', estimate: 'the characters of the head and 64 bytes for each header, 4 KiB where it waits, in the budget of the process', until: 'the response has ended', beyond: 'the connection is destroyed' },
  { counted: 'a body over Streamable HTTP or HTTP+SSE that waits to be parsed', file: 'packages/transport/src/memory/parse-turns.ts', holder: caller, estimate: 'that of its request', until: 'it is parsed', beyond: '503 and -31001; it is not parsed' },
  { counted: 'the entries of a batch over Streamable HTTP that wait for their turn', file: 'packages/transports/http/src/server/post-dispatcher.ts', holder: caller, estimate: 'that of their requests', until: 'the next turn', beyond: 'they do not wait' },
  { counted: 'an unfinished WebSocket message, and one that waits to be parsed', file: 'packages/transport/src/memory/unfinished-messages.ts', holder: caller, estimate: 'the chunks that it came in, and 128 bytes for each chunk and fragment', until: 'it is parsed, also while the connection closes; it has 30 s to arrive', beyond: 'the largest unfinished message of the holder that is over its share is cut with 1013' },
  { counted: 'a line of a socket that has not come in full, or waits for its turn', file: 'packages/transport/src/memory/unfinished-messages.ts', holder: caller, estimate: 'twice its bytes', until: 'it is delivered, or the connection ends', beyond: 'the connection with the largest one of the holder that is over its share ends with `OVERFLOW`' },
  { counted: 'an open connection of a socket at a port', file: 'packages/transport/src/memory/held-connections.ts', holder: 'its address', estimate: '12 KiB', until: 'it has closed', beyond: 'it is destroyed; one address has at most half of `maxConnections`' },
  { counted: 'an open WebSocket, and a session over HTTP+SSE', file: 'packages/transport/src/memory/held-connections.ts', holder: caller, estimate: '12 KiB', until: 'it has closed', beyond: '503; one holder has at most half of `maxConnections` or `maxSessions`' },
  { counted: 'an open connection of `serveFrames`', file: 'packages/transport/src/memory/held-connections.ts', holder: 'its origin', estimate: '12 KiB', until: 'it has closed', beyond: 'it is rejected with the reason; one origin has at most half of `maxConnections`' },
  { counted: 'a socket of an HTTP listener, also one that becomes a WebSocket or a session; not of a `server` that is passed', file: 'packages/transport/src/memory/held-connections.ts', holder: 'its address', estimate: '8 KiB, in the budget of the process', until: 'it has closed', beyond: 'it is destroyed' },
  { counted: 'a call of a gateway that waits until its client repeats the request with an answer', file: 'packages/core/src/peer/memory.ts', holder: caller, estimate: 'that of its first request; of a result that comes meanwhile 2 bytes for each character and 64 bytes for each value', until: 'the call is over', beyond: 'the result becomes -31001' },
  { counted: 'the lists of a server behind a gateway that is not connected', file: 'packages/core/src/client/subscriptions/held-responses.ts', holder: 'the server', estimate: '2 bytes for each character and 64 bytes for each value, in the budget of the process', until: 'its next list, or the gateway has no client', beyond: 'the list is dropped: the server is listed as empty' },
  { counted: 'a result over HTTP that waits for its turn', file: 'packages/core/src/peer/memory.ts', holder: caller, estimate: 'as for a request; nothing where the server keeps it once for all', until: 'it is sent, or its turn has come after a cancellation', beyond: '-31001, which does not say that the request was not executed, over HTTP with 503' },
  { counted: 'a session of the legacy era', file: 'packages/core/src/eras/legacy/open.ts', holder: caller, estimate: '2 KiB, and the capabilities and the name of the client as JSON', until: 'the session ends', beyond: '`initialize` is rejected with -31001' },
  { counted: 'a watched resource', file: 'packages/core/src/server/resource-subscriptions.ts', holder: caller, estimate: '4 KiB, and 4 bytes for each character of its URI', until: 'it is no longer watched', beyond: 'the subscription is rejected with -31001' },
  { counted: 'the latest value of a watched resource that a template or a function makes', file: 'packages/core/src/server/hub.ts', holder: caller, estimate: 'its bytes, or 2 bytes for each character and 64 bytes for each value', until: 'the next value, or it is no longer watched', beyond: 'the subscription is rejected with -31001; a later value is not kept, so that each read has a run of its own. All may take a quarter of the memory, one caller half of that' },
  { counted: 'output that a peer has not read, on every transport of a server, and on both sides of a message port', file: 'packages/transport/src/memory/unread-output.ts', holder: caller, estimate: 'its bytes in steps of 16 KiB, nothing below 16 KiB', until: 'it is read; over a message port the peer reports what it has read, and one that reports more than it has read is charged for less than it holds', beyond: 'a large answer becomes -31001; otherwise the connection, or over HTTP the stream, is cut with `OVERFLOW`' },
  { counted: 'notifications of a server that a bridge keeps for a slow reader', file: 'packages/core/src/bridge/pending-notifications.ts', holder: 'the caller of the request that they belong to, or the connection', estimate: '2 bytes for each character, 256 bytes for each message', until: 'they are sent, or the request ends', beyond: 'the oldest log records are lost and counted, then the request fails with `OVERFLOW`; without lanes the connection ends' },
  { counted: 'what a session over HTTP sent before it had a reader', file: 'packages/transports/http/src/server/streams/replay-queue.ts', holder: caller, estimate: 'its characters, of the latest 256 messages or 64 KiB', until: 'a reader comes, or the session ends', beyond: 'the oldest are lost' },
  { counted: 'what a stream of a session over HTTP sends while its event store, or the reading of a replay, takes time', file: 'packages/transports/http/src/server/streams/store-queue.ts', holder: caller, estimate: 'its bytes, and 512 bytes for each message', until: 'it is stored, or the replay has been read', beyond: 'the stream ends with `OVERFLOW`, its session continues' },
  { counted: 'a stream of a session over HTTP that can be resumed, its events apart', file: 'packages/transports/http/src/server/streams/resumable-streams.ts', holder: caller, estimate: '1 KiB', until: 'it is forgotten, at the latest with its session', beyond: 'the oldest of its session that has ended is forgotten, or the new one cannot be resumed' },
  { counted: 'posted messages of a session over HTTP+SSE that wait for it', file: 'packages/transports/sse/src/server/session.ts', holder: caller, estimate: 'that of requests', until: 'the session takes them', beyond: '503' },
  { counted: 'what arrives before the start of a connection, on either side', file: 'packages/transport/src/memory/early-messages.ts', holder: connection, estimate: 'that of requests, in the budget of the process', until: 'the start of the connection, or its end', beyond: 'the connection ends with `OVERFLOW`, or over HTTP the request is rejected with 503' },
  { counted: 'messages of a message port, or another carrier of `fromMessages`, that a side has not started to read, or that wait for their turn', file: 'packages/transport/src/carrier/from-messages.ts', holder: 'the principal, or the connection', estimate: 'that of requests, in the budget of the process', until: 'they are delivered, or the connection ends', beyond: 'the connection ends with `OVERFLOW`' },
  { counted: 'the values that wait for the reader of `each`', file: 'packages/core/src/streams/each.ts', holder: 'the iteration', estimate: '2 bytes for each character and 64 bytes for each value', until: 'they are read, the loop is left, or the iteration is collected', beyond: 'the iteration ends with `OVERFLOW`' },
  { counted: 'at a client: a response over HTTP that has not arrived in full', file: 'packages/transport/src/http/read-response.ts', holder: 'the connection; in a gateway or bridge the caller of the request', estimate: 'its bytes, nothing below 64 KiB', until: 'it is parsed', beyond: 'the call ends with `OVERFLOW`' },
  { counted: 'at a client: a message of a WebSocket, a socket or a child process that has not come in full, or waits for its turn', file: 'packages/transport/src/memory/unfinished-messages.ts', holder: connection, estimate: 'the chunks that it came in, or twice its bytes', until: 'it is parsed, or the connection ends', beyond: 'the connection with the largest one ends with `OVERFLOW`' },
  { counted: 'at a client: an event of HTTP+SSE that has not arrived in full', file: 'packages/transport/src/http/read-response.ts', holder: connection, estimate: 'its bytes, nothing below 64 KiB', until: 'it is parsed, or the connection ends', beyond: 'the connection ends with `OVERFLOW`' },
  { counted: 'at a client: the pages of a list', file: 'packages/core/src/client/calls/pages.ts', holder: connection, estimate: '2 bytes for each character and 64 bytes for each value', until: 'the next list of the same method, or the end of the connection', beyond: 'the call ends with `OVERFLOW`' },
  { counted: 'at a client: the latest value of a watched resource', file: 'packages/core/src/client/subscriptions/held-responses.ts', holder: connection, estimate: '2 bytes for each character and 64 bytes for each value', until: 'the next value, or nothing watches it', beyond: 'the watch ends with `OVERFLOW`' },
  { counted: 'at a client: what a validator makes of output schemas', file: 'packages/core/src/client/subscriptions/held-responses.ts', holder: connection, estimate: '10 bytes for each character and 320 bytes for each value of a schema', until: 'the next list of tools, or the end of the connection', beyond: 'the call ends with `OVERFLOW`' },
  { counted: 'at a client: the `requestState` of a result, which each request after it repeats', file: 'packages/core/src/client/calls/run.ts', holder: connection, estimate: '2 bytes for each character', until: 'the call ends, or has another one', beyond: 'the call ends with `OVERFLOW`' },
  { counted: 'at a client: the asks of a result', file: 'packages/core/src/client/asks/answer-offers.ts', holder: connection, estimate: '2 bytes for each character and 64 bytes for each value', until: 'they are answered', beyond: 'the call ends with `OVERFLOW`' },
  { counted: 'at a client of Streamable HTTP: responses that wait for their server, or are on their way', file: 'packages/transports/http/src/client/post-sender.ts', holder: connection, estimate: '2 KiB, and 2 bytes for each character', until: 'they are posted, or the connection ends', beyond: 'the connection ends with `OVERFLOW`' },
  { counted: 'at a client of HTTP+SSE: responses that wait for their server', file: 'packages/transports/sse/src/client/post-queue.ts', holder: connection, estimate: '2 KiB, and 2 bytes for each character', until: 'they are posted, or the connection ends', beyond: 'the connection ends with `OVERFLOW`' },
];

const mechanism = new Set(
  ['memory-budget', 'held-bytes'].map((name) => `packages/transport/src/memory/${name}.ts`),
);

/** Returns the section about memory. Fails where a file charges that is not listed, or is listed and does not charge. */
export function memoryAccounts(): string {
  const charging = sources()
    .filter(({ text }) => /\.tryCharge\(|\b(?:held|waiting)\.(?:resize\([^0]|grow\()/.test(text))
    .map(({ path }) => path)
    .filter((path) => !mechanism.has(path));
  const listed = accounts.map(({ file }) => file);
  const unlisted = charging.filter((path) => !listed.includes(path));
  const idle = listed.filter((path) => !charging.includes(path));
  if (unlisted.length + idle.length > 0)
    throw new Error(
      `apps/e2e/test/reference/memory-accounts.ts lacks ${unlisted.join(', ') || 'nothing'}; ` +
        `these no longer charge: ${idle.join(', ') || 'none'}`,
    );
  const rows = accounts.map((account) => [
    account.counted,
    account.holder,
    account.estimate,
    account.until,
    account.beyond,
  ]);
  return [
    '## Memory',
    'A `MemoryBudget` counts the estimated bytes that peers make a process keep. The one of a process has a quarter of the largest heap, ' +
      'or 256 MiB where it is unknown. `defineServer({ memory })` gives a server one of its own. One holder may have half of a budget, and the ' +
      'last eighth is for charges of at most 128 KiB. `server.stats$` has what is held and by whom, `alerts$` and `health()` say when it is ' +
      'more than 80 %.',
    'Once a flood of a server ends, V8 returns its free memory to the system within a minute. The C library of Linux (glibc) keeps what was freed: ' +
      '`MALLOC_TRIM_THRESHOLD_=131072` in the environment of Node makes it return at least half of that.',
    table(['counted', 'holder', 'estimate', 'until', 'beyond the limit'], rows),
  ].join('\n\n');
}
