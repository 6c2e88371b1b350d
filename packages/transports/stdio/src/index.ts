export { type CloseTimeouts } from './child-channel.js';
export { serveStdio, type ServeStdioOptions, type StdioServeHandle } from './serve-stdio.js';
export { stdio, type StdioOptions } from './stdio.js';
