export * from '@rxmcp/message-port';
