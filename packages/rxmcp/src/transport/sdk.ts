export * from '@rxmcp/transport/sdk';
