export * from '@rxmcp/auth/browser';
