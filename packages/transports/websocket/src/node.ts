export { serveWebSocket, type ServeWebSocketOptions, type WebSocketServeHandle } from './server/serve.js';
export { webSocketHandler, type WebSocketHandler, type WebSocketHandlerOptions } from './server/handler.js';
export { webSocket } from './client/node-web-socket.js';
