export * from '@rxmcp/stdio';
