/** A limit that is no option: a constant of a package, found by its name. */
export interface FixedLimit {
  readonly says: string;
  readonly beyond: string;
  readonly pkg: string;
  readonly constant: string;
  /** A part of the path of its file, where two files of the package have such a constant. */
  readonly within?: string;
  readonly unit?: 'ms' | 'bytes' | 'characters';
}

const auth = '@rxmcp/auth';
const core = '@rxmcp/core';
const http = '@rxmcp/http';
const sse = '@rxmcp/sse';
const transport = '@rxmcp/transport';
const webSocket = '@rxmcp/websocket';

/** The limits that a user can meet and cannot change. Their values are read from the sources. */
// prettier-ignore
export const fixedLimits: readonly FixedLimit[] = [
  { says: 'rounds of asks in one call', beyond: 'the call ends with `TOO_MANY_ROUNDS`', pkg: core, constant: 'maxRounds' },
  { says: 'asks of one key in one run of a handler, and asks of one method without a key', beyond: 'the ask rejects with `TOO_MANY_ROUNDS`', pkg: core, constant: 'maxRepeats' },
  { says: 'asks in one result', beyond: 'the call ends with `INVALID_RESULT`, no ask is handled', pkg: core, constant: 'maxAsks' },
  { says: 'length of the key of an ask', beyond: 'the call ends with `INVALID_RESULT`, no ask is handled', pkg: core, constant: 'maxAskKeyLength', unit: 'characters' },
  { says: 'asks handled at a time by one client', beyond: 'the others wait', pkg: core, constant: 'maxAtATime' },
  { says: 'time to answer an ask; the deadline of the call is paused meanwhile', beyond: 'the ask is cancelled, the call ends with its timeout error', pkg: core, constant: 'maxAskPauseMs', unit: 'ms' },
  { says: 'life of the encrypted `requestState`', beyond: 'the server rejects the request with -32602', pkg: core, constant: 'lifetimeMs', unit: 'ms' },
  { says: 'pages of a list', beyond: 'the call ends with `INVALID_RESULT`', pkg: core, constant: 'maxPages', within: 'client/' },
  { says: 'entries of a list', beyond: 'the call ends with `INVALID_RESULT`', pkg: core, constant: 'maxEntries', within: 'client/' },
  { says: 'all pages of a list together', beyond: 'the call ends with `INVALID_RESULT`', pkg: core, constant: 'maxBytes', within: 'client/', unit: 'bytes' },
  { says: 'length of a cursor', beyond: 'the call ends with `INVALID_RESULT`', pkg: core, constant: 'maxCursor', unit: 'characters' },
  { says: 'notifications kept while a connection opens', beyond: 'they are dropped', pkg: core, constant: 'maxEarly' },
  { says: 'notifications kept while a connection opens, together', beyond: 'they are dropped', pkg: core, constant: 'maxEarlyBytes', unit: 'bytes' },
  { says: 'part of a response of Streamable HTTP that a client reads and does not charge', beyond: 'the call ends with `OVERFLOW` if the budget has no room', pkg: transport, constant: 'unchargedBytes', unit: 'bytes' },
  { says: 'shortest time between two reads of one live value', beyond: 'the latest change is read after it', pkg: core, constant: 'paceMs', unit: 'ms' },
  { says: 'redials in a row', beyond: 'the next loss closes the remote', pkg: core, constant: 'maxRedials' },
  { says: 'time for one redial', beyond: 'the remote closes with the cause', pkg: core, constant: 'redialMs', unit: 'ms' },
  { says: 'reopened subscriptions in a row without stable time', beyond: 'the Observables that need the subscription fail', pkg: core, constant: 'maxReopens' },
  { says: 'messages in a batch (2025-03-26)', beyond: 'the batch is rejected with -32600', pkg: core, constant: 'maxEntries', within: 'legacy/' },
  { says: 'log records kept per request while the peer does not read', beyond: 'older ones are dropped and counted', pkg: core, constant: 'maxHeldLogs' },
  { says: 'memory charged for a request besides its text', beyond: 'the request is rejected with -31001', pkg: transport, constant: 'requestBytes', unit: 'bytes' },
  { says: 'memory charged for each value of a request of 4,096 characters or more; two bytes for each character come in addition', beyond: 'the request is rejected with -31001', pkg: transport, constant: 'valueBytes', unit: 'bytes' },
  { says: 'largest charge for which the last eighth of a memory budget may be used', beyond: 'the charge is rejected when less is free', pkg: transport, constant: 'smallBytes', unit: 'bytes' },
  { says: 'memory charged for a session of the legacy era besides the capabilities of its client', beyond: '`initialize` is rejected with -31001', pkg: core, constant: 'sessionBytes', unit: 'bytes' },
  { says: 'memory charged for a watched resource besides its URI', beyond: 'the subscription is rejected with -31001', pkg: core, constant: 'watchBytes', unit: 'bytes' },
  { says: 'response of Streamable HTTP that is charged until it is read', beyond: '503 with -31001, or -31001 on an open stream, where the caller holds too much', pkg: http, constant: 'largeResponse', unit: 'characters' },
  { says: 'memory charged for an open WebSocket, and for a session over HTTP+SSE', beyond: '503', pkg: transport, constant: 'connectionBytes', unit: 'bytes' },
  { says: 'memory charged for a socket of an HTTP listener, to its address', beyond: 'the socket is destroyed', pkg: transport, constant: 'socketBytes', unit: 'bytes' },
  { says: 'step in which output that a peer has not read is charged; less than one step is not charged', beyond: 'the stream or the connection ends with `OVERFLOW` where the holder holds too much', pkg: transport, constant: 'unreadStepBytes', unit: 'bytes' },
  { says: 'time for large input in one turn of the event loop', beyond: 'the rest waits for the next turn', pkg: transport, constant: 'turnMs', unit: 'ms' },
  { says: 'bytes of responses over HTTP that a client reads and parses in one turn of the event loop', beyond: 'the rest waits for the next turn', pkg: transport, constant: 'turnBytes', unit: 'bytes' },
  { says: 'connections to a listener that wait to be accepted; the operating system may have a lower limit', beyond: 'they are opened when the client tries again, mostly after 1 s', pkg: transport, constant: 'listenBacklog' },
  { says: 'chunks of a body without a Content-Length that have less than 16 bytes on average', beyond: '400, and the connection ends', pkg: transport, constant: 'manyChunks' },
  { says: 'requests of one HTTP connection that are sent before the one before them is answered', beyond: 'the connection is cut', pkg: transport, constant: 'maxPipelined' },
  { says: 'length of a URI that a peer gives', beyond: 'the request is rejected with -32602; `subscriptions/listen` leaves the URI out', pkg: core, constant: 'maxKeyLength', unit: 'characters' },
  { says: 'name and URI of an entry in a list, together', beyond: 'the entry is left out with the fault `INVALID_ENTRY`', pkg: core, constant: 'maxEntryKeys', unit: 'characters' },
  { says: 'length of a progress token', beyond: 'the request has no progress', pkg: core, constant: 'maxTokenLength', unit: 'characters' },
  { says: 'arguments of a tool that are sent as headers', beyond: '`tool` throws a TypeError; a client over Streamable HTTP leaves the tool out with the fault `INVALID_TOOL`', pkg: core, constant: 'maxHeaderParams' },
  { says: 'capabilities, name and version of a client, and also the instructions of a server, each as JSON', beyond: 'the request is rejected with -32602; a client ends connecting with `INVALID_RESULT`', pkg: core, constant: 'maxDeclaredLength', unit: 'characters' },
  { says: 'messages that wait in a bridge, per side', beyond: 'requests are rejected with -31001', pkg: core, constant: 'maxWaiting' },
  { says: 'characters that wait in a bridge, per side', beyond: 'requests are rejected with -31001, notifications of clients are dropped', pkg: core, constant: 'maxWaitingChars', unit: 'characters' },
  { says: 'messages without a lane that wait for the server in a bridge', beyond: 'notifications of clients are dropped with the fault `NOTIFICATION_DROPPED`', pkg: core, constant: 'maxNotifications' },
  { says: 'log records kept by a bridge per lane', beyond: 'older ones are dropped and counted', pkg: core, constant: 'maxLogs' },
  { says: 'length of a string id', beyond: 'the message is rejected with -32600', pkg: '@rxmcp/jsonrpc', constant: 'maxRequestIdLength', unit: 'characters' },
  { says: 'length of a member name, in a message of at least 400,000 characters', beyond: 'the message is rejected with -32600', pkg: '@rxmcp/jsonrpc', constant: 'maxMemberName', unit: 'characters' },
  { says: 'shortest `retry` of a server-sent event', beyond: 'raised to it', pkg: '@rxmcp/jsonrpc', constant: 'shortestRetryMs', unit: 'ms' },
  { says: 'longest `retry` of a server-sent event', beyond: 'lowered to it', pkg: '@rxmcp/jsonrpc', constant: 'longestRetryMs', unit: 'ms' },
  { says: 'time for a connection to close', beyond: 'the connection is cut', pkg: transport, constant: 'closeWithinMs', unit: 'ms' },
  { says: 'time for `authenticate`', beyond: '503', pkg: transport, constant: 'authenticateWithinMs', unit: 'ms' },
  { says: 'all headers of a request', beyond: '431', pkg: transport, constant: 'maxHeaderBytes', unit: 'bytes' },
  { says: 'silence before the system probes a socket of an HTTP listener', beyond: 'the socket is cut 10 s later', pkg: transport, constant: 'silentMs', unit: 'ms' },
  { says: 'messages and faults kept before a connection is started', beyond: 'the connection ends with `OVERFLOW`', pkg: transport, constant: 'maxEarlyEvents' },
  { says: 'messages kept before a connection is started, together', beyond: 'the connection ends with `OVERFLOW`', pkg: transport, constant: 'maxEarlyBytes', unit: 'bytes' },
  { says: 'time for the body of a request over Streamable HTTP', beyond: '408', pkg: http, constant: 'bodyMs', unit: 'ms' },
  { says: 'messages that wait in a stream of Streamable HTTP', beyond: 'senders wait', pkg: http, constant: 'maxQueued' },
  { says: 'bytes that wait in a stream of Streamable HTTP', beyond: 'senders wait', pkg: http, constant: 'maxQueuedBytes', unit: 'bytes' },
  { says: 'streams of a session that are looked up at a time', beyond: '503', pkg: http, constant: 'maxLookups' },
  { says: 'posts without a request in flight, per client', beyond: 'they wait', pkg: http, constant: 'maxPosts' },
  { says: 'posts without a request that wait, per client', beyond: 'the connection ends with `OVERFLOW`', pkg: http, constant: 'maxWaiting' },
  { says: 'redirects of a request', beyond: 'the request fails with `REJECTED`', pkg: http, constant: 'maxRedirects' },
  { says: 'body read of a failed response', beyond: 'only the status counts', pkg: transport, constant: 'maxRemainderBytes', unit: 'bytes' },
  { says: 'posts of HTTP+SSE in flight, per client', beyond: 'they wait', pkg: sse, constant: 'maxPosts' },
  { says: 'posts of HTTP+SSE that wait, per client', beyond: 'the connection ends with `OVERFLOW`', pkg: sse, constant: 'maxWaiting', within: 'post-queue' },
  { says: 'time for the body of a post over HTTP+SSE', beyond: '408', pkg: sse, constant: 'bodyMs', unit: 'ms' },
  { says: 'stdio, sockets, HTTP+SSE: messages that wait for the other side', beyond: 'senders wait', pkg: transport, constant: 'maxMessages' },
  { says: 'stdio, sockets, HTTP+SSE: characters that wait for the other side', beyond: 'senders wait', pkg: transport, constant: 'maxBatchChars', unit: 'characters' },
  { says: 'stdio: lines over the limit that a server answers', beyond: 'the connection closes', pkg: '@rxmcp/stdio', constant: 'maxOverlong' },
  { says: 'stdio: output that is no message before the first message', beyond: 'the connection ends with `OVERFLOW`', pkg: '@rxmcp/stdio', constant: 'maxBeforeFirst', unit: 'bytes' },
  { says: 'WebSocket: messages that wait', beyond: 'senders wait', pkg: webSocket, constant: 'maxMessages' },
  { says: 'WebSocket: bytes that wait', beyond: 'senders wait, pings are not answered', pkg: webSocket, constant: 'highWaterBytes', unit: 'bytes' },
  { says: 'WebSocket: bytes that wait although senders should', beyond: 'the connection ends with `OVERFLOW`', pkg: webSocket, constant: 'hardMaxBytes', unit: 'bytes' },
  { says: 'WebSocket: fragments of one message', beyond: 'the connection ends with status 1008', pkg: webSocket, constant: 'maxFragments' },
  { says: 'WebSocket: time for a message to arrive, from its first byte', beyond: 'the connection ends with status 1008', pkg: webSocket, constant: 'messageMs', unit: 'ms' },
  { says: 'MessagePort and `fromMessages`: unread characters', beyond: 'senders wait', pkg: '@rxmcp/transport', constant: 'maxUnreadChars', unit: 'characters' },
  { says: 'MessagePort and `fromMessages`: characters that arrive before `start`, or while a served side reads no further', beyond: 'the connection ends with `OVERFLOW`', pkg: '@rxmcp/transport', constant: 'maxHeldChars', unit: 'characters' },
  { says: 'values of one completion result', beyond: 'the rest is cut, `total` and `hasMore` say so', pkg: '@rxmcp/completion', constant: 'maxValues' },
  { says: 'prompts that one request includes', beyond: 'the request fails', pkg: '@rxmcp/prompts', constant: 'maxIncluded' },
  { says: 'length of a URI template', beyond: 'a `TypeError`', pkg: '@rxmcp/resources', constant: 'maxTemplateLength', unit: 'characters' },
  { says: 'variables of a URI template', beyond: 'a `TypeError`', pkg: '@rxmcp/resources', constant: 'maxVariables' },
  { says: 'length of an access token', beyond: '401', pkg: auth, constant: 'longestToken', unit: 'characters' },
  { says: 'claims of an access token that a server keeps', beyond: 'each request verifies the token', pkg: auth, constant: 'maxClaimsBytes', unit: 'bytes' },
  { says: 'access tokens that a server verifies at a time, half of them from one address', beyond: '503', pkg: auth, constant: 'maxVerifications' },
  { says: 'invalid access tokens that a server keeps', beyond: 'the oldest is verified again', pkg: auth, constant: 'maxRejectedTokens' },
  { says: 'time that a server keeps an invalid access token', beyond: 'the token is verified again', pkg: auth, constant: 'rejectedMs', unit: 'ms' },
  { says: 'time to verify an access token', beyond: '503', pkg: auth, constant: 'verifyWithinMs', unit: 'ms' },
  { says: 'used proofs of possession that a server remembers', beyond: 'a caller with many loses its oldest', pkg: auth, constant: 'maxProofs' },
  { says: 'length of the modulus of an RSA key in a proof of possession (4,096 bits); its exponent must be 65537', beyond: 'the proof is refused with 401', pkg: auth, constant: 'maxModulusLength', unit: 'characters' },
  { says: 'time for calls that run when the credentials of a session, a stream or a WebSocket expire', beyond: 'it ends', pkg: transport, constant: 'runningCallsMs', unit: 'ms' },
  { says: 'calls of a server behind a gateway or bridge that are under way, one caller with half of them', beyond: 'they wait, and start in turns of the callers', pkg: core, within: 'call-turns', constant: 'maxCalls' },
  { says: 'resources of a server behind a gateway that are watched, one principal with half of them', beyond: '-31001', pkg: '@rxmcp/gateway', constant: 'maxWatches' },
  { says: 'calls of a server behind a gateway that wait for answers to asks, one caller with half of them', beyond: 'the oldest of the caller, or of the one that has most, ends', pkg: '@rxmcp/gateway', constant: 'maxHeldCalls' },
  { says: 'time for the answer to an ask of a server behind a gateway', beyond: 'the call ends', pkg: '@rxmcp/gateway', constant: 'maxHoldMs', unit: 'ms' },
];
