export * from '@rxmcp/transport/node';
