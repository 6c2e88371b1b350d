export * from '@rxmcp/jsonrpc';
