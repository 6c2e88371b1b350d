export * from '@rxmcp/gateway';
