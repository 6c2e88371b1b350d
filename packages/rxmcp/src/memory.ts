export * from '@rxmcp/memory';
