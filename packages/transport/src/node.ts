export type { ListenerAuth, ProtectOptions } from './node/protect.js';
export { listen, type HttpListener, type ListenOptions, type TlsOptions } from './node/listen.js';
