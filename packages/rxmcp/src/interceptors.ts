export * from '@rxmcp/core/interceptors';
