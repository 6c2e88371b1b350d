export * from '@rxmcp/http/node';
