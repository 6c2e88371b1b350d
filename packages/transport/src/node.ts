export { defaultBufferedBytes } from './node/listen.js';
export { headOf } from './node/head-of.js';
export { listen, type Listening, type ListenOptions, type Tls } from './node/listen.js';
export { NodeExchange, type NodeRequest } from './node/node-exchange.js';
export { onceOver } from './node/once-over.js';
export { endTogether, endWaiting } from './node/together.js';
