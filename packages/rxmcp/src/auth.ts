export * from '@rxmcp/auth';
