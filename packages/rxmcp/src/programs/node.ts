export { default as process } from 'node:process';
export { serveHttp } from '@rxmcp/http/node';
export { serveStdio, stdio } from '@rxmcp/stdio';
