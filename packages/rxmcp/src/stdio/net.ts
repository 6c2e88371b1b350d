export * from '@rxmcp/stdio/net';
