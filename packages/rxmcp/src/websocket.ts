export { webSocket, webSocketConnection } from '@rxmcp/websocket';
export type * from '@rxmcp/websocket';
