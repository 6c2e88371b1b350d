/** The error for an invalid command line, or an invalid file or URL that it names. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The usage text. */
export const usage = `usage: rxmcp COMMAND [NAME] [ARGS] (URL | SERVER-NAME | -- CMD ARGS...) [options]

commands
  info                 who the server is, the revision spoken, what it can
  tools                its tools, one per line
  call NAME [ARGS]     calls a tool; ARGS is one JSON object
  resources            its resources, one per line
  templates            its templates of resources, one per line
  read URI             reads a resource
  watch URI            reads a resource, and again whenever it changes, until Ctrl-C
  prompts              its prompts, one per line
  prompt NAME [ARGS]   fills a prompt in; ARGS is one JSON object of strings
  complete NAME ARGS   what could stand for the last member of ARGS, as far as it is typed, in a prompt or, where NAME is its
                       text, such as file:///{path}, in a template; the members before it are sent as context

A URL begins with http:, https:, ws: or wss:. SERVER-NAME is a key of "mcpServers" in the file of --config. After -- stands
the command of a server; no shell reads it.

options
  --config FILE        default ./mcp.json
  --header 'NAME: V'   sent with every request to a URL; may be given several times. Others on this machine can see it in the
                       list of processes; the headers of a config they cannot
  --env NAME=VALUE     a variable for a server that is started; may be given several times. Others on this machine can see
                       it in the list of processes; the "env" of a config they cannot
  --protocol WHICH     auto (default), modern, legacy, or a revision such as 2025-06-18
  --timeout MS         for connecting, and for each sign of life of a call; a server that does not end on its own takes up to
                       5 s more
  --root DIR           a folder that the server should work in; may be given several times
  --approve HOW        what to do with a server's requests to the model, its forms and the pages that it asks to open:
                       ask (on standard input; the default at a terminal), always (all requests to the model pass, forms
                       and pages are declined), never (the default elsewhere)
  --debug              logs every message, every request and every change of the connection to standard error.
                       RXMCP_DEBUG=transport or RXMCP_DEBUG=peer in the environment logs one part of that

Standard output holds one JSON value per line, everything else goes to standard error.
Exit codes: 0 success, 1 the server answered an error or the output could not be written, 2 wrong usage, 3 no connection, 130 interrupted.
OPENAI_BASE_URL, OPENAI_MODEL and OPENAI_API_KEY name a chat endpoint for a server's requests to the model; without them
an extractive summarizer answers. BROWSER names the program that opens pages. NODE_EXTRA_CA_CERTS names a file of
certificates to trust in addition to those of Node.js.`;
