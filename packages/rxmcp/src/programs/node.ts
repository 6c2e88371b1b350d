import type * as HttpNode from '@rxmcp/http/node';
import type * as Stdio from '@rxmcp/stdio';
import type * as Url from '../url.js';

/** Loads the transports of URLs. */
export const loadUrl = (): Promise<Pick<typeof Url, 'transportFor'>> => import('../url.js');

/** Loads what serves over HTTP. */
export const loadHttp = (): Promise<typeof HttpNode> => import('@rxmcp/http/node');

/** Loads what serves over stdio and starts programs. */
export const loadStdio = (): Promise<typeof Stdio> => import('@rxmcp/stdio');
