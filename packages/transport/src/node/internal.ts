/** For the packages of this project only: may change in any release. Needs Node.js. */
export { flushBatchedResponses } from './batched-responses.js';
export { defaultBufferedBytes, knownListenOptions, listenBacklog } from './listen.js';
export { NodeExchange, type NodeRequest } from './node-exchange.js';
export { protect } from './protect.js';
export { requestOptions } from './request-options.js';
export { requestHead } from './request-head.js';
