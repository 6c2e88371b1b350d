export { serveStdio, stdio } from '@rxmcp/stdio';
export type * from '@rxmcp/stdio';
