export { webSocket } from './web-socket.js';
export type { WebSocketOptions } from './web-socket-options.js';
export { webSocketConnection } from './web-socket-like-channel.js';
export type { WebSocketLike } from './web-socket-like-channel.js';
export type { HeadersSource } from '@rxmcp/transport';
