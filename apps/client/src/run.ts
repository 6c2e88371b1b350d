import type { Observable } from 'rxjs';
import { fromEvent, lastValueFrom, map, of, reduce, takeUntil, tap } from 'rxjs';
import type { Client, Remote } from 'rxmcp';
import { defineClient, once } from 'rxmcp';
import { offerElicitation } from 'rxmcp/elicitation';
import { logging } from 'rxmcp/logging';
import packageJson from 'rxmcp/package.json' with { type: 'json' };
import { offerSampling } from 'rxmcp/sampling';
import type { Transport } from 'rxmcp/transport';
import type { Invocation } from './arguments.js';
import { terminalApproval } from './asked/approval.js';
import { terminalForms } from './asked/form.js';
import { modelOf } from './asked/model.js';
import { terminalPages } from './asked/page.js';
import { afterPages } from './asked/url-elicitation-retry.js';
import type { FolderRoots } from './asked/roots.js';
import { folderRoots } from './asked/roots.js';
import { shownName } from './asked/server-name.js';
import type { Line } from './commands.js';
import { commands } from './commands.js';
import type { Debug } from './debug.js';
import { debugOf } from './debug.js';
import { describeError, exitOf, exits } from './failure.js';
import { serverNamed } from './target/config.js';
import { merged } from './target/headers.js';
import type { Target } from './target/target.js';
import { isUrl, transportTo } from './target/target.js';
import type { Terminal } from './terminal.js';
import { UsageError } from './usage.js';

/** What surrounds a run. */
interface Surroundings {
  readonly terminal: Terminal;
  readonly env: NodeJS.ProcessEnv;
  /** Takes one line of output. */
  print(value: unknown): void;
  /** Ends the run early: what is under way is cancelled. */
  readonly signal: AbortSignal;
}

/** Connects, does what is asked and closes. Resolves with the exit code; rejects with a UsageError before it connects. */
export async function run(invocation: Invocation, around: Surroundings): Promise<number> {
  const { terminal, signal } = around;
  const debug = debugOf(invocation.debug, around.env, terminal.tell);
  const target = await targetOf(invocation);
  const transport = debug.watched(transportTo(target, (line) => terminal.tell(`server: ${line}`)));
  const roots = invocation.roots.length === 0 ? undefined : folderRoots(invocation.roots);
  const client = clientOf(invocation, around, debug, roots);
  let remote: Remote;
  try {
    remote = await connected(client, transport, invocation.timeoutMs, signal);
  } catch (error) {
    if (!signal.aborted) terminal.tell(`cannot connect: ${describeError(error)}`);
    return exits.connection;
  }
  debug.follow(remote);
  try {
    // Some servers learn the roots only once the session has started, and reject what comes before that.
    if (remote.version <= lastWithSessions) await roots?.asked(signal);
    return await done(remote, invocation, around);
  } catch (error) {
    terminal.tell(describeError(error));
    return exitOf(error);
  } finally {
    await remote.close();
  }
}

async function targetOf(invocation: Invocation): Promise<Target> {
  const { headers, env } = invocation;
  const target = await serverOf(invocation);
  if (target.kind === 'url') {
    if (Object.keys(env).length > 0) throw new UsageError('--env is for servers that are started');
    return { ...target, headers: merged(target.headers, headers) };
  }
  if (Object.keys(headers).length > 0) throw new UsageError('--header is for servers with a url');
  return { ...target, env: { ...target.env, ...env } };
}

async function serverOf({ server, config }: Invocation): Promise<Target> {
  if (typeof server !== 'string') {
    const [command, ...args] = server;
    return { kind: 'command', command, args };
  }
  return isUrl(server) ? { kind: 'url', url: server, headers: {} } : serverNamed(server, config);
}

function clientOf(
  { protocol, approve, timeoutMs }: Invocation,
  { terminal, env }: Surroundings,
  { attemptInterceptors }: Debug,
  roots: FolderRoots | undefined,
): Client {
  const mode = approve ?? (terminal.asks ? 'ask' : 'never');
  const { model, tools } = modelOf(env);
  const offers = [
    offerSampling(model, { approve: terminalApproval(terminal, mode), tools }),
    offerElicitation({ form: terminalForms(terminal), url: terminalPages(terminal, env) }),
    ...(roots === undefined ? [] : [roots.offer]),
  ];
  try {
    return defineClient({
      info: { name: 'rxmcp', version, title: 'The reference client of rxmcp' },
      offers,
      attemptInterceptors,
      ...protocol,
      ...(timeoutMs === undefined ? {} : { idleTimeoutMs: timeoutMs }),
    });
  } catch (error) {
    // The protocol revision is unknown.
    throw new UsageError((error as Error).message);
  }
}

function connected(
  client: Client,
  transport: Transport,
  timeoutMs: number | undefined,
  signal: AbortSignal,
): Promise<Remote> {
  return client.connect(transport, { signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
}

async function done(remote: Remote, invocation: Invocation, around: Surroundings): Promise<number> {
  const { command, name, args } = invocation;
  const { terminal, signal } = around;
  const { tell } = terminal;
  tellFaults(remote, tell);
  await followLog(remote, tell, signal);
  const lines = commands[command].run({ remote, name, args, options: {}, tell });
  const visitor = { ...around, server: shownName(remote.info) };
  return (await printed(afterPages(lines, visitor), around)) ? exits.answered : exits.good;
}

/** Shows faults. A server that prints to standard output does so again and again: only its first line is shown. */
function tellFaults({ faults$ }: Remote, tell: (text: string) => void): void {
  let isNoisy = false;
  faults$.subscribe(({ code, message }) => {
    const isNoise = code === 'UNEXPECTED_OUTPUT';
    if (isNoise && isNoisy) return;
    isNoisy ||= isNoise;
    tell(`fault ${code}: ${message}${isNoise ? '; further lines are not shown' : ''}`);
  });
}

/** Requests log records of level `info` from servers that log; if the server rejects that, its records are still shown. */
async function followLog(remote: Remote, tell: (text: string) => void, signal: AbortSignal): Promise<void> {
  const { records$, setLevel } = logging(remote);
  records$.subscribe(({ level, logger, data }) => {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    tell(`log ${level}${logger === undefined ? '' : ` ${logger}`}: ${text}`);
  });
  if (!('logging' in remote.capabilities)) return;
  await once(setLevel('info'), { signal }).catch((error: unknown) => {
    if (!signal.aborted) tell(`the log level was not set: ${describeError(error)}`);
  });
}

/** Prints every line; resolves with whether one of them reports a failure. */
function printed(lines: Observable<Line>, { print, signal }: Surroundings): Promise<boolean> {
  return lastValueFrom(
    lines.pipe(
      takeUntil(signal.aborted ? of(signal) : fromEvent(signal, 'abort')),
      tap(({ value }) => print(value)),
      map(({ failed = false }) => failed),
      reduce((any, failed) => any || failed, false),
    ),
  );
}

/** Since then a server asks for roots only while it serves a request. */
const lastWithSessions = '2025-11-25';

/** The version of the package that this program is part of. */
const version: string = packageJson.version;
