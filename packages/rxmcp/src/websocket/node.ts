export { serveWebSocket, webSocket, webSocketHandler } from '@rxmcp/websocket/node';
export type * from '@rxmcp/websocket/node';
