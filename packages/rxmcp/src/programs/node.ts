export { serveHttp } from '@rxmcp/http/node';
export { serveStdio, stdio } from '@rxmcp/stdio';
