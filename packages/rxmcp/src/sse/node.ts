export { serveSse, sseHandlers } from '@rxmcp/sse/node';
export type * from '@rxmcp/sse/node';
