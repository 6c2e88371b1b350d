export { webSocket } from './web-socket.js';
export type { WebSocketHeaders, WebSocketOptions } from './web-socket-options.js';
export { webSocketConnection } from './like-carrier.js';
export type { WebSocketLike } from './like-carrier.js';
