/** The error for an invalid command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The usage text. */
export const usage = `usage: main.js [--offline] [--stdio | --http [PORT]]
       main.js [--offline] --print-config [claude-desktop]
       main.js [--offline] --write-config [FILE]

Serves the weather of the US over MCP: the tools get-alerts and get-forecast.

  --stdio          one client on standard input and output; the default
  --http [PORT]    Streamable HTTP at http://127.0.0.1:PORT/mcp, by default 3000
  --offline        recorded responses for Sacramento, Texas, California and London instead of api.weather.gov
  --print-config   prints the entry of "mcpServers" for a host; standard error says which file it belongs to
  --write-config   adds the entry to FILE, by default that of Claude Desktop. FILE.bak is a copy of the previous one
  --help, --version

Exit codes: 0 success, 1 the config could not be written or the port is taken, 2 wrong usage.`;
