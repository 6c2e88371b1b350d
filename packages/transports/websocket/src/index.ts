export { webSocket } from './client/web-socket.js';
export type { WebSocketOptions } from './channel/web-socket-options.js';
export { webSocketConnection } from './channel/web-socket-like-channel.js';
export type { WebSocketLike } from './channel/web-socket-like-channel.js';
export type { HeadersSource } from '@rxmcp/transport';
