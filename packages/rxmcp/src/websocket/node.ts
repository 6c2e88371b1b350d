export * from '@rxmcp/websocket/node';
