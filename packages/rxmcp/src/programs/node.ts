/** Loads what serves over HTTP. */
export const loadHttp = () => import('@rxmcp/http/node');

/** Loads what serves over stdio and starts programs. */
export const loadStdio = () => import('@rxmcp/stdio');
