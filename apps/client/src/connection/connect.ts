import { setTimeout } from 'node:timers/promises';
import { type Client, type Remote, defineClient } from 'rxmcp';
import { offerElicitation } from 'rxmcp/elicitation';
import type { Interceptor } from 'rxmcp/interceptors';
import packageJson from 'rxmcp/package.json' with { type: 'json' };
import { offerSampling } from 'rxmcp/sampling';
import type { Transport } from 'rxmcp/transport';
import { terminalApproval } from '../asked/approval.js';
import { terminalForms } from '../asked/form.js';
import { type AnsweringModel, modelOf } from '../asked/model.js';
import { terminalPages } from '../asked/page.js';
import { folderRoots, type FolderRoots } from '../asked/roots.js';
import type { Program, TargetWord } from '../command.js';
import { type Debug, debugOf } from '../debug.js';
import { ConnectionError } from '../failure.js';
import { targetOf } from '../target/resolve.js';
import { type Target, transportTo } from '../target/target.js';
import { UsageError } from '@rxmcp/app-serving/usage-error';
import { hasSession } from './era.js';
import { faultTeller, followLog } from './follow.js';
import type { ConnectionSettings } from './options.js';

/**
 * Connects to a target, with the person at the terminal as its user, and shows its faults and logs. Rejects with a UsageError before it
 * connects, and with a ConnectionError. The caller closes the remote.
 */
export async function connect(
  word: TargetWord | undefined,
  settings: ConnectionSettings,
  program: Program,
  model: AnsweringModel = modelOf(program.env),
  interceptors: readonly Interceptor[] = [],
): Promise<Remote> {
  const { terminal, signal } = program;
  const debug = debugOf(settings.debug, program.env, terminal.tell);
  const target = await targetOf(word, settings, program.env);
  const transport = debug.watched(
    redialing(
      target,
      await transportTo(
        target,
        (line) => terminal.tell(`server: ${line}`),
        program.env,
        terminal.isInteractive ? program : undefined,
      ),
    ),
  );
  const roots = settings.roots.length === 0 ? undefined : folderRoots(settings.roots);
  const client = clientOf(settings, program, debug, roots, model, interceptors);
  const { timeoutMs } = settings;
  const remote = await client
    .connect(transport, {
      signal,
      onFault: faultTeller(terminal.tell),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    })
    .catch((error: unknown) => {
      throw new ConnectionError(error);
    });
  debug.follow(remote);
  try {
    // Some servers learn the roots only once the session has started, and reject what comes before that.
    if (hasSession(remote)) await roots?.asked(signal);
    if (settings.showsLog !== false) await followLog(remote, terminal.tell, signal);
  } catch (error) {
    await remote.close();
    throw error;
  }
  return remote;
}

/** Waits at a redial until something listens at the URL again: a server that starts again is not there at once. */
function redialing(target: Target, transport: Transport): Transport {
  if (target.kind !== 'url') return transport;
  let isFirst = true;
  return {
    ...transport,
    async dial(options) {
      if (!isFirst) await listens(target.url, options?.signal);
      isFirst = false;
      return transport.dial(options);
    },
  };
}

/** Pauses between two looks, in milliseconds; after the last one the dial fails. */
const pausesMs = [100, 250, 500, 1_000, 2_000, 4_000];

async function listens(url: string, signal: AbortSignal | undefined): Promise<void> {
  const { isListening } = await import('../target/socket-url.js');
  for (const pauseMs of pausesMs) {
    if (await isListening(url)) return;
    await setTimeout(pauseMs, undefined, { signal });
  }
}

function clientOf(
  { protocol, approve, timeoutMs }: ConnectionSettings,
  { terminal, env }: Program,
  { attemptInterceptors }: Debug,
  roots: FolderRoots | undefined,
  { model, tools, context }: AnsweringModel,
  interceptors: readonly Interceptor[],
): Client {
  const mode = approve ?? (terminal.asks ? 'ask' : 'never');
  const offers = [
    // Since 2026-07-28 a rejected request ends the call: a server that learns of no model can do without one.
    ...(mode === 'never'
      ? []
      : [
          offerSampling(model, {
            approve: terminalApproval(terminal, mode),
            tools,
            ...(context === undefined ? {} : { context }),
          }),
        ]),
    offerElicitation({ form: terminalForms(terminal), url: terminalPages(terminal, env) }),
    ...(roots === undefined ? [] : [roots.offer]),
  ];
  try {
    return defineClient({
      info: { name: 'rxmcp', version: packageJson.version, title: 'The reference client of rxmcp' },
      offers,
      interceptors,
      attemptInterceptors,
      ...protocol,
      ...(timeoutMs === undefined ? {} : { idleTimeoutMs: timeoutMs }),
    });
  } catch (error) {
    // The protocol revision is unknown.
    throw new UsageError((error as Error).message);
  }
}
