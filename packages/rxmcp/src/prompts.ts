export * from '@rxmcp/prompts';
