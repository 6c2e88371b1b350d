export * from '@rxmcp/sse';
