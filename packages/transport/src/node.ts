export { defaultBufferedBytes } from './node/listen.js';
export { requestHead } from './node/request-head.js';
export { listen, type HttpListener, type ListenOptions, type TlsOptions } from './node/listen.js';
export { NodeExchange, type NodeRequest } from './node/node-exchange.js';
export { onResponseClosed } from './node/on-response-closed.js';
export { endBatched, flushBatchedResponses } from './node/batched-responses.js';
