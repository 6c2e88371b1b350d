export * from '@rxmcp/transport';
