export * from '@rxmcp/elicitation';
