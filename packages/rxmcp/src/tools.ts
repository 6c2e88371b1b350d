export * from '@rxmcp/tools';
