export * from '@rxmcp/http/fetch';
