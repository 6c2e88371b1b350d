export { type CloseTimeouts } from './child-carrier.js';
export { serveStdio, type ServeStdioOptions, type StdioServeHandle } from './serve-stdio.js';
export { stdio, type StdioOptions } from './stdio.js';
