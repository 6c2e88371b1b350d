import type * as Programs from './node.js';

const fail = (): never => {
  throw new TypeError('"serve" and programs need Node.js: in a browser, connect to a URL or a transport');
};

export const loadHttp: typeof Programs.loadHttp = fail;
export const loadStdio: typeof Programs.loadStdio = fail;
