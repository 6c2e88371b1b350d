export type { ListenerAuth, ProtectOptions } from './node/protect.js';
export {
  endUnreadBody,
  listen,
  type HttpListener,
  type ListenOptions,
  type TlsOptions,
} from './node/listen.js';
