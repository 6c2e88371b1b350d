export { fetchHandler, memoryEventStore } from '@rxmcp/http/fetch';
export type * from '@rxmcp/http/fetch';
