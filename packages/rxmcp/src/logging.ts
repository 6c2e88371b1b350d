export * from '@rxmcp/logging';
