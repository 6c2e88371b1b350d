export { sseFetchHandler } from '@rxmcp/sse/fetch';
export type * from '@rxmcp/sse/fetch';
