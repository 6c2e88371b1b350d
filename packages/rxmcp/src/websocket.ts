export * from '@rxmcp/websocket';
