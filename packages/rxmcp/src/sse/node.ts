export * from '@rxmcp/sse/node';
