export * from '@rxmcp/sampling';
