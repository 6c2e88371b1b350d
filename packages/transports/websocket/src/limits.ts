/** What both sides hold to unless told otherwise. */
export const defaults = {
  maxMessageBytes: 4 * 1024 * 1024,
  stallMs: 30_000,
  heartbeatMs: 15_000,
  firstMessageMs: 10_000,
  dialMs: 10_000,
  maxConnections: 10_000,
} as const;

/** The subprotocol that both sides name in the handshake. */
export const subprotocol = 'mcp';

/** After this `ws` cuts a socket that is closing; here it is given up sooner. */
export const closeTimeoutMs = 5_000;
