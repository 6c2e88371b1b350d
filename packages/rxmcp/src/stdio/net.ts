export { duplexConnection, serveSocket, socket } from '@rxmcp/stdio/net';
export type * from '@rxmcp/stdio/net';
