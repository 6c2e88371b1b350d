export { sse } from '@rxmcp/sse';
export type * from '@rxmcp/sse';
