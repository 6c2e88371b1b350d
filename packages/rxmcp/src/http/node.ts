export { httpHandler, memoryEventStore, serveHttp } from '@rxmcp/http/node';
export type * from '@rxmcp/http/node';
