export { headOf } from './node/head-of.js';
export { listen, type Listening, type ListenOptions, type Tls } from './node/listen.js';
