import { once } from 'rxmcp';
import { prompts } from 'rxmcp/prompts';
import { resources } from 'rxmcp/resources';
import type { SamplingMessage } from 'rxmcp/sampling';
import { tools } from 'rxmcp/tools';
import {
  concat,
  defer,
  from,
  lastValueFrom,
  mergeMap,
  type Observable,
  of,
  Subject,
  takeUntil,
  tap,
} from 'rxjs';
import type { Program } from '../command.js';
import { usageOf } from '../call-arguments/usage.js';
import { describeError } from '@rxmcp/app-serving/describe-error';
import { exitOf, exits } from '../failure.js';
import { inline } from '../printable.js';
import { ChatError } from './chat-error.js';
import { completions } from './input/completions.js';
import { autoContext, type Context, namedContext } from './context.js';
import type { ChatEvent } from './events.js';
import { withPicked } from './input/picker.js';
import { promptTurns } from './input/prompt-command.js';
import { answer, type ChatParts } from './question/question.js';
import { slashLine } from './input/slash-line.js';
import type { ChatServer } from './tool-set.js';
import { eventView } from './view.js';

/** A chat of one or several questions. */
export interface Session extends ChatParts {
  readonly program: Program;
  /** The tokens of resources that are chosen by rule; 0 = none. */
  readonly autoTokens: number;
}

/**
 * Answers one question and prints its events. Resolves with the exit code. Ctrl-C cancels the question, and keeps the conversation.
 */
export async function ask(session: Session, question: string): Promise<number> {
  const { program } = session;
  const show = eventView(program.terminal);
  const print = (event: ChatEvent): void => {
    if (program.output.isShown) show(event);
    else program.output.print(event);
  };
  const interrupt$ = new Subject<void>();
  const interrupt = (): void => interrupt$.next();
  const release = program.onInterrupt(interrupt);
  program.signal.addEventListener('abort', interrupt);
  let last: ChatEvent | undefined;
  try {
    const shown$ = events(session, question).pipe(
      takeUntil(interrupt$),
      tap((event) => {
        last = event;
        print(event);
      }),
    );
    await lastValueFrom(shown$, { defaultValue: undefined });
    if (last?.type === 'answer') return exits.good;
    print({ type: 'cancelled' });
    return exits.interrupted;
  } catch (error) {
    print({ type: 'error', message: describeError(error) });
    if (!program.output.isShown) program.terminal.tell(describeError(error));
    return error instanceof ChatError ? error.exitCode : exitOf(error);
  } finally {
    release();
    program.signal.removeEventListener('abort', interrupt);
  }
}

function events(session: Session, question: string): Observable<ChatEvent> {
  return defer(() => {
    const aborting = new AbortController();
    const { signal } = aborting;
    const prepared$ = from(prepared(session, question, signal)).pipe(
      mergeMap(({ turns, named, auto }) =>
        concat(
          of(...named.events, ...auto.events),
          answer(session, turns, auto.text === '' ? undefined : auto.text),
        ),
      ),
    );
    return concat(of({ type: 'question', text: question } as const), prepared$).pipe(
      tap({ finalize: () => aborting.abort() }),
    );
  });
}

const empty: Context = { text: '', events: [] };

async function prepared(
  { servers, program, autoTokens }: Session,
  question: string,
  signal: AbortSignal,
): Promise<{ turns: readonly SamplingMessage[]; named: Context; auto: Context }> {
  const auto = autoTokens === 0 ? empty : await autoContext(servers, autoTokens, signal);
  if (question.startsWith('/')) {
    const { turns, events: steps } = await promptTurns(question, servers, program.terminal, signal);
    return { turns, named: { text: '', events: steps }, auto };
  }
  const whole = await withPicked(question, servers, program.terminal, signal);
  const named = await namedContext(whole, servers, signal);
  const text = named.text === '' ? whole : `${whole}\n\n${named.text}`;
  return { turns: [{ role: 'user', content: { type: 'text', text } }], named, auto };
}

/** Reads questions until the end of input, `/quit`, or Ctrl-C at the prompt. Resolves with the exit code of the last one. */
export async function converse(session: Session): Promise<number> {
  const { terminal, signal } = session.program;
  let code: number = exits.good;
  for (;;) {
    const line = await terminal.edited('> ', (typed) => completions(typed, session.servers, signal), signal);
    if (line === undefined || signal.aborted) return code;
    const question = line.trim();
    if (question === '/quit') return code;
    if (question === '') continue;
    code = await respond(session, question);
  }
}

/** Runs a command such as `/tools`, or answers a question. Resolves with the exit code. */
export async function respond(session: Session, line: string): Promise<number> {
  const { terminal, signal } = session.program;
  const question = line.startsWith('/')
    ? await slashLine(line.trim(), session.servers, terminal, signal)
    : line.trim();
  if (question === undefined) return exits.usage;
  const kind = kinds.find((one) => question === `/${one}`);
  if (kind !== undefined) for (const text of await listed(kind, session.servers, signal)) terminal.tell(text);
  else if (question === '/help') for (const text of help) terminal.tell(text);
  else if (question === '/quit') return exits.good;
  else return ask(session, question);
  return exits.good;
}

const kinds = ['tools', 'resources', 'prompts'] as const;
type Kind = (typeof kinds)[number];

const help = [
  'Write a question. @URI adds a resource, @ or @WORD shows those to choose from.',
  '/PROMPT NAME=VALUE runs a prompt, /SERVER:PROMPT that of one server, / or /WORD shows commands and prompts to choose from.',
  'Tab completes commands, prompts, their arguments, and resources.',
  '/tools, /resources and /prompts list what the servers have. /quit or Ctrl-C ends the chat.',
];

const listings: Readonly<Record<Kind, (server: ChatServer) => Promise<readonly string[]>>> = {
  tools: async ({ remote }) =>
    (await once(tools(remote).list())).map((tool) => `${tool.name} ${usageOf(tool)}`),
  resources: async ({ remote }) =>
    (await once(resources(remote).list())).map(({ uri, name }) => `@${uri} ${name}`),
  prompts: async ({ name, remote }) =>
    (await once(prompts(remote).list())).map(
      (prompt) =>
        `/${name}:${prompt.name} ${(prompt.arguments ?? []).map((one) => `${one.name}=`).join(' ')}`,
    ),
};

async function listed(
  kind: Kind,
  servers: readonly ChatServer[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const server of servers) {
    if (signal.aborted) break;
    if (!(kind in server.remote.capabilities)) continue;
    const texts = await listings[kind](server).catch((error: unknown) => [describeError(error)]);
    lines.push(...texts.map((text) => inline(`${server.name}: ${text}`)));
  }
  return lines.length === 0 ? [`no ${kind}`] : lines;
}
