export * from '@rxmcp/roots';
