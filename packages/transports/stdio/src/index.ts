export { type CloseTimeouts } from './client/child-channel.js';
export { serveStdio, type ServeStdioOptions, type StdioServeHandle } from './server/serve-stdio.js';
export { stdio, type StdioOptions } from './client/stdio.js';
