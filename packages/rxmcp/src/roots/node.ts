export * from '@rxmcp/roots/node';
