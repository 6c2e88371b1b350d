import type * as Programs from './node.js';
import { transportFor } from '../url.js';

const fail = (): never => {
  throw new TypeError('"serve" and programs need Node.js: in a browser, connect to a URL or a transport');
};

/** In a browser a remote is behind a URL, so that its transports are part of `connect`: a bundle without it has none of them. */
export const loadUrl: typeof Programs.loadUrl = () => Promise.resolve({ transportFor });
export const loadHttp: typeof Programs.loadHttp = fail;
export const loadStdio: typeof Programs.loadStdio = fail;
