/** Where the `_meta` of a log record says how many before it were lost. */
export const lostKey = 'rxmcp/lost';
