export * from '@rxmcp/auth/server';
