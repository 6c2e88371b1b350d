import {
  infoOptions,
  moduleOption,
  type OptionTable,
  type OptionValues,
  placeOptions,
} from '@rxmcp/app-serving/options';

/** The options of this program, and of `rxmcp serve`. */
export const serveOptions = {
  ...placeOptions,
  transport: moduleOption,
  'tls-cert': { value: 'FILE', help: 'A PEM file; https: and wss: instead of http: and ws:.' },
  'tls-key': { value: 'FILE', help: 'The key of --tls-cert.' },
  root: { value: 'DIR', help: 'The folder, instead of the word DIR.' },
  protocol: {
    value: 'WHICH',
    help: 'The revisions of the protocol: auto (all), modern, legacy, or a date such as 2025-11-25. Default: auto.',
  },
  'allow-command': {
    value: 'NAME',
    repeats: true,
    help: 'Offers the tool execute_command for this command.',
  },
  'github-repo': {
    value: 'OWNER/NAME',
    help: 'Offers the tool github_create_issue; needs GITHUB_TOKEN.',
  },
  operator: {
    value: 'NAME',
    repeats: true,
    help: 'A name of RXMCP_TOKENS, or a subject of tokens, that may use these two tools.',
  },
  'auth-issuer': {
    value: 'URL',
    help: 'The authorization server whose access tokens (JWTs) are needed over a network.',
  },
  'auth-audience': {
    value: 'AUDIENCE',
    help: 'What the tokens must be issued for. Default: the URL that is listened at.',
  },
  'auth-scopes': {
    value: 'SCOPES',
    help: 'The scopes that every request needs, separated by spaces or commas.',
  },
  version: infoOptions.version,
} as const satisfies OptionTable;

/** The values of options, by name; absent = not given. */
export type ServeValues = OptionValues<typeof serveOptions>;

/** What is served, and which variables of the environment count. */
export const serveDetails = `Serves a folder of files over MCP: files, notes and the log as resources, tools and prompts.

RXMCP_TOKENS='{"name":"token"}' says who may call over a network, RXMCP_STATE_KEYS has the keys that several processes share,
GITHUB_TOKEN is the token for GitHub, GITHUB_API_URL its API instead of https://api.github.com.`;
