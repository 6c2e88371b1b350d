export * from '@rxmcp/json-schema';
