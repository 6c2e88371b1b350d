export * from '@rxmcp/transport/guard';
