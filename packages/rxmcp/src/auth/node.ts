export * from '@rxmcp/auth/node';
