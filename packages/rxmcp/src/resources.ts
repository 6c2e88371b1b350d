export * from '@rxmcp/resources';
