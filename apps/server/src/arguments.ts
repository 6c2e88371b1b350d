import { fileURLToPath } from 'node:url';
import { type Ports, portsOf } from '@rxmcp/app-serving/ports';
import { protocolOf, readOptions } from '@rxmcp/app-serving/read-options';
import { parsedJson, type Tokens, tokensOf } from '@rxmcp/app-serving/tokens';
import { UsageError } from '@rxmcp/app-serving/usage-error';
import type { DemoServerOptions } from './demo-server.js';
import type { CertificateFiles } from './listen/read-certificate.js';
import { serveOptions, type ServeValues, serveDetails } from './options.js';
import type { GithubTarget } from './tools/github-create-issue.js';
import { version } from './version.js';
import { infoOptions, optionLines } from '@rxmcp/app-serving/options';
import type { RequestStateKey } from 'rxmcp';

/** A command line and its environment, read. */
export interface Invocation {
  readonly server: DemoServerOptions;
  readonly stdio: boolean;
  readonly ports: Ports;
  /** A file whose export `serve` accepts clients. */
  readonly transport: string | undefined;
  readonly tls: CertificateFiles | undefined;
  /** Who may call over a network, by principal; undefined = everybody on this machine. */
  readonly tokens: Tokens | undefined;
  /** The authorization server whose access tokens are accepted over a network. */
  readonly auth: AuthArguments | undefined;
}

/** Which access tokens are accepted. */
export interface AuthArguments {
  readonly issuer: string;
  /** What they must be issued for; undefined = the URL of each endpoint. */
  readonly audience: string | undefined;
  readonly scopes: readonly string[];
}

const thisRepository = fileURLToPath(new URL('../../..', import.meta.url));

/** Returns what the command line asks to print instead of serving. */
export function textToPrint(args: readonly string[]): string | undefined {
  if (args.includes('--help') || args.includes('-h')) return help;
  return args.includes('--version') ? version : undefined;
}

/** Reads the command line and the environment, as {@link invocationOf}. The folder is by default this repository. */
export function readArguments(args: readonly string[], env: NodeJS.ProcessEnv): Invocation {
  const { values, positionals } = readOptions('the server', args, serveOptions);
  return invocationOf(values, positionals, env, thisRepository);
}

/** Reads options, `RXMCP_STATE_KEYS`, `RXMCP_TOKENS` and the variables for GitHub. Throws a UsageError. */
export function invocationOf(
  values: ServeValues,
  folders: readonly string[],
  env: NodeJS.ProcessEnv,
  defaultRoot: string,
): Invocation {
  const ports = portsOf(values);
  const listens = Object.keys(ports).length > 0;
  const tls = tlsOf(values);
  if (tls !== undefined && !listens)
    throw new UsageError('--tls-cert and --tls-key need --http, --sse or --ws');
  const requestStateKeys = stateKeysOf(env['RXMCP_STATE_KEYS']);
  const tokens = tokensOf(env['RXMCP_TOKENS']);
  const auth = authOf(values);
  if (auth !== undefined && (!listens || tokens !== undefined))
    throw new UsageError('--auth-issuer needs --http, --sse or --ws, and no RXMCP_TOKENS');
  const commands = values['allow-command'] ?? [];
  const github = githubOf(values['github-repo'], env);
  if (listens && tokens === undefined && auth === undefined && (commands.length > 0 || github !== undefined))
    throw new UsageError(
      '--allow-command and --github-repo with a port need RXMCP_TOKENS or --auth-issuer, and --operator',
    );
  if (values.transport !== undefined && (commands.length > 0 || github !== undefined))
    throw new UsageError(
      '--allow-command and --github-repo need callers with names, which --transport has not',
    );
  const operators = auth === undefined ? operatorsOf(values.operator, tokens) : values.operator;
  return {
    server: {
      root: rootOf(values.root, folders) ?? defaultRoot,
      ...protocolOf(values.protocol),
      ...(requestStateKeys === undefined ? {} : { requestStateKeys }),
      ...(commands.length === 0 ? {} : { commands }),
      ...(github === undefined ? {} : { github }),
      ...(operators === undefined ? {} : { operators }),
    },
    stdio: values.stdio ?? (!listens && values.transport === undefined),
    ports,
    transport: values.transport,
    tls,
    tokens,
    auth,
  };
}

function tlsOf({ 'tls-cert': cert, 'tls-key': key }: ServeValues): CertificateFiles | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new UsageError('--tls-cert and --tls-key need each other');
  return { cert, key };
}

function authOf(values: ServeValues): AuthArguments | undefined {
  const { 'auth-issuer': issuer, 'auth-audience': audience, 'auth-scopes': scopes } = values;
  if (issuer !== undefined)
    return { issuer, audience, scopes: scopes?.split(/[\s,]+/).filter((scope) => scope !== '') ?? [] };
  if (audience === undefined && scopes === undefined) return undefined;
  throw new UsageError('--auth-audience and --auth-scopes need --auth-issuer');
}

function rootOf(root: string | undefined, [folder, ...others]: readonly string[]): string | undefined {
  if (folder === undefined) return root;
  if (root === undefined && others.length === 0) return folder;
  throw new UsageError(
    `more than one folder: ${JSON.stringify(root ?? others[0])} and ${JSON.stringify(folder)}`,
  );
}

function githubOf(repository: string | undefined, env: NodeJS.ProcessEnv): GithubTarget | undefined {
  if (repository === undefined) return undefined;
  if (!/^[\w.-]{1,100}\/[\w.-]{1,100}$/.test(repository) || /(^|\/)\.{1,2}(\/|$)/.test(repository))
    throw new UsageError(`--github-repo ${JSON.stringify(repository)} must be OWNER/NAME`);
  const token = env['GITHUB_TOKEN'] ?? '';
  if (!/^[\x21-\x7e]{1,4096}$/.test(token))
    throw new UsageError('--github-repo needs GITHUB_TOKEN, a token that may write issues');
  const apiUrl = (env['GITHUB_API_URL'] ?? 'https://api.github.com').replace(/\/+$/, '');
  if (!/^https:\/\/|^http:\/\/(127\.0\.0\.1|localhost)[:/]/.test(`${apiUrl}/`) || !URL.canParse(apiUrl))
    throw new UsageError(`GITHUB_API_URL ${JSON.stringify(apiUrl)} must be an https: URL`);
  return { repository, apiUrl, token };
}

function operatorsOf(
  names: readonly string[] | undefined,
  tokens: Invocation['tokens'],
): readonly string[] | undefined {
  const unknown = names?.find((name) => !Object.hasOwn(tokens ?? {}, name));
  if (unknown === undefined) return names;
  throw new UsageError(`--operator ${JSON.stringify(unknown)} is not a name of RXMCP_TOKENS`);
}

/** What `--help` prints. */
const help = `usage: main.js [options] [DIR]

${serveDetails}

DIR is by default the repository of this program.

${optionLines({ ...serveOptions, ...infoOptions })}

Exit codes: 0 stopped by a signal or the end of input, 1 a port is taken, 2 wrong arguments.`;

/** The keys of `RXMCP_STATE_KEYS`. Throws a UsageError, which does not repeat them. */
function stateKeysOf(text: string | undefined): readonly RequestStateKey[] | undefined {
  if (text === undefined || text === '') return undefined;
  const keys = parsedJson(text);
  if (Array.isArray(keys) && keys.length > 0 && keys.every(isKey)) return keys;
  throw new UsageError(
    'RXMCP_STATE_KEYS must be JSON such as [{"id": "a", "secret": "at least 32 characters"}]',
  );
}

function isKey(value: unknown): value is RequestStateKey {
  return isObject(value) && typeof value['id'] === 'string' && typeof value['secret'] === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
