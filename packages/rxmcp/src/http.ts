export * from '@rxmcp/http';
