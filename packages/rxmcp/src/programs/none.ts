import type * as Programs from './node.js';

const fail = (): never => {
  throw new TypeError('"serve" and programs need Node.js: in a browser, connect to a URL or a transport');
};

export const serveHttp: typeof Programs.serveHttp = fail;
export const serveStdio: typeof Programs.serveStdio = fail;
export const stdio: typeof Programs.stdio = fail;
