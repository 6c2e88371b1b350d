export { webSocket } from './web-socket.js';
export type { WebSocketHeaders, WebSocketOptions } from './web-socket-options.js';
export { webSocketConnection } from './web-socket-connection.js';
export type { WebSocketLike } from './web-socket-like.js';
