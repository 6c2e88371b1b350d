/** The command line, or the environment, makes no sense. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(
    message: string,
    /** Not a value but the form of the command line is wrong: showing how it is called helps. */
    readonly isForm = false,
  ) {
    super(message);
  }
}

/** How the program is called, in one line. */
export const usage =
  'usage: main.js [--stdio] [--http PORT] [--sse PORT] [--ws PORT] [--transport FILE] [--tls-cert FILE --tls-key FILE] ' +
  '[--root DIR | DIR] [--protocol auto|modern|legacy|DATE] [--allow-command NAME]... [--github-repo OWNER/NAME] [--operator NAME]... ' +
  '[--auth-issuer URL [--auth-audience AUDIENCE] [--auth-scopes SCOPES]]';

/** What `--help` prints. */
export const help = `${usage}

Serves a folder of files over MCP: files, notes and the log as resources, tools and prompts.

  --stdio                one client on standard input and output; the default without a port
  --http PORT            Streamable HTTP at http://127.0.0.1:PORT/mcp; 0 is a free port
  --sse PORT             HTTP+SSE at http://127.0.0.1:PORT/sse
  --ws PORT              WebSockets at ws://127.0.0.1:PORT/mcp
  --transport FILE       the export "serve" of a file, a function that takes a connection handler
  --tls-cert FILE, --tls-key FILE
                         PEM files; https: and wss: instead of http: and ws:
  --root DIR             the folder, by default the repository of this program
  --protocol auto|modern|legacy|DATE
                         the revisions of the protocol, by default all
  --allow-command NAME   offers the tool execute_command for this command; again for one more
  --github-repo OWNER/NAME
                         offers the tool github_create_issue; needs GITHUB_TOKEN
  --operator NAME        a name of RXMCP_TOKENS, or a subject of tokens, that may use these two tools; again for one more
  --auth-issuer URL      the authorization server whose access tokens (JWTs) are needed over a network
  --auth-audience AUDIENCE
                         what the tokens must be issued for, by default the URL that is listened at
  --auth-scopes SCOPES   the scopes that every request needs, separated by spaces or commas
  --help, --version

Environment: RXMCP_TOKENS='{"name":"token"}' says who may call over a network, RXMCP_STATE_KEYS has the keys that several
processes share, GITHUB_TOKEN is the token for GitHub, GITHUB_API_URL its API instead of https://api.github.com.

Exit codes: 0 stopped by a signal or the end of input, 1 a port is taken, 2 wrong arguments.`;
