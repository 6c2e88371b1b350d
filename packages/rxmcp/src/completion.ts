export * from '@rxmcp/completion';
