export * from '@rxmcp/sse/fetch';
