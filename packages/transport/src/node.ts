export { defaultBufferedBytes } from './node/listen.js';
export { requestHead } from './node/head-of.js';
export { listen, type HttpListener, type ListenOptions, type TlsOptions } from './node/listen.js';
export { NodeExchange, type NodeRequest } from './node/node-exchange.js';
export { onResponseClosed } from './node/once-over.js';
export { endBatched, flushBatchedResponses } from './node/together.js';
