export { listen, type HttpListener, type ListenOptions, type TlsOptions } from './node/listen.js';
