export { endUnreadBody, listen } from '@rxmcp/transport/node';
export type * from '@rxmcp/transport/node';
