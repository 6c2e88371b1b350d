/** The command line, or the environment, makes no sense. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** How the program is called. */
export const usage = `node apps/bridge/dist/main.js [--stdio] [--http PORT] [--sse PORT] [--ws PORT] [--max-clients N]
    ([--header 'NAME: VALUE'] URL | -- COMMAND ARGS...)

Joins clients that come over the given transports with one server: at a URL (http, https, ws, wss), or a command that is
started for each client, of which there are 64 at most unless N says otherwise. Without a port it is --stdio.
RXMCP_TOKENS='{"name":"token"}' says who may call over a network, RXMCP_HEADERS='{"name":"value"}' what is sent to a URL.`;
