import type { ContextSource } from 'rxmcp/sampling';
import { approvalsFile, type ApprovalMode, Approvals } from '../chat/question/approvals.js';
import { Conversation } from '../chat/question/conversation.js';
import { autoContext } from '../chat/context.js';
import { chatModelOf } from '../chat/choose-model.js';
import { converse, respond, type Session } from '../chat/session.js';
import type { ChatServer } from '../chat/tool-set.js';
import { command } from '../command.js';
import { connect } from '../connection/connect.js';
import { followLosses } from '../connection/follow.js';
import { connectionOptions, connectionSettings } from '../connection/options.js';
import { describeError } from '@rxmcp/app-serving/describe-error';
import { ConnectionError } from '../failure.js';
import { targetOf } from '../target/resolve.js';
import { isUrl, targetIdentity } from '../target/target.js';
import { UsageError } from '@rxmcp/app-serving/usage-error';

const options = {
  ...connectionOptions,
  server: { value: 'NAME', repeats: true, help: 'A server of the config file, or a URL.' },
  model: {
    value: 'NAME',
    help: 'A model of the endpoint at OPENAI_BASE_URL, by default OPENAI_MODEL; or stand-in, which is not a model and picks tools by rule.',
  },
  approve: {
    value: 'HOW',
    help: 'Which calls of tools, and which requests of servers to the model, pass: ask (the default at a terminal), always, never (the default elsewhere), or read-only, which asks for other tools.',
  },
  'max-steps': { value: 'N', help: 'The most requests to the model for one question. Default 20.' },
  'max-tokens': {
    value: 'N',
    help: 'The most tokens of one question, input and output of all steps. Default 200000.',
  },
  'model-timeout': { value: 'MS', help: 'Milliseconds for one answer of the model. Default 120000.' },
  auto: { help: 'Adds resources by rule: those for the model, by priority, time and size.' },
  'auto-tokens': { value: 'N', help: 'The budget of --auto in tokens. Default 4000.' },
  conversation: { value: 'FILE', help: 'Keeps the conversation in a file, and continues it.' },
} as const;

const modes: readonly string[] = ['ask', 'always', 'never', 'read-only'] satisfies ApprovalMode[];

export const chatCommand = command({
  words: [{ name: 'QUESTION', optional: true }],
  options,
  details:
    'Answers with a model and the tools of the servers. Without a QUESTION it reads questions, one a line.\n' +
    '@URI in a question adds a resource, /SERVER:PROMPT NAME=VALUE runs a prompt.\n' +
    'Exit codes besides those of all commands: 4 the model failed, 5 a limit of steps or tokens was reached.',
  example: `rxmcp chat --model stand-in --server weather "What's the weather in Sacramento?"`,
  async run({ words: [question], options: given }, program) {
    const mode = given.approve ?? (program.terminal.asks ? 'ask' : 'never');
    if (!modes.includes(mode))
      throw new UsageError(`--approve ${JSON.stringify(mode)} must be one of ${modes.join(', ')}`);
    const { approve: _approve, ...others } = given;
    const settings = connectionSettings({
      ...others,
      ...(mode === 'read-only' ? {} : { approve: mode }),
    });
    const model = chatModelOf(
      given.model,
      program.env,
      countOf('model-timeout', given['model-timeout'], 120_000),
    );
    const session = {
      model,
      program,
      approvals: new Approvals(
        given.approve as ApprovalMode | undefined,
        program.terminal,
        approvalsFile(program.env),
      ),
      conversation: new Conversation(given.conversation),
      maxSteps: countOf('max-steps', given['max-steps'], 20),
      maxTokens: countOf('max-tokens', given['max-tokens'], 200_000),
      autoTokens: given.auto === true ? countOf('auto-tokens', given['auto-tokens'], 4_000) : 0,
    };
    const servers: ChatServer[] = [];
    if (given.server === undefined)
      program.terminal.tell('no server is given, so the model has no tools (see --server)');
    let unconnected: ConnectionError | undefined;
    try {
      for (const name of new Set(given.server ?? [])) {
        const own = shortName(name, servers);
        const context = contextFor(own, servers, session.autoTokens);
        const remote = await connect(name, settings, program, { model, tools: true, ...context }, [
          session.approvals.interceptor,
        ]).catch((error: unknown) => {
          if (!(error instanceof ConnectionError) || program.signal.aborted) throw error;
          unconnected ??= error;
          program.terminal.tell(`the server "${name}" is left out: ${describeError(error)}`);
        });
        if (remote === undefined) continue;
        followLosses(remote, (text) => program.terminal.tell(`the server "${name}": ${text}`)).subscribe();
        const identity = targetIdentity(await targetOf(name, settings, program.env));
        servers.push({ name: own, identity, remote });
      }
      if (servers.length === 0 && unconnected !== undefined) throw unconnected;
      const whole: Session = { ...session, servers };
      return await (question === undefined ? converse(whole) : respond(whole, question));
    } finally {
      await Promise.all(servers.map(({ remote }) => remote.close()));
    }
  },
});

/** With `--auto` a server that asks for context gets what its rules choose: of its own resources, or of those of all servers. */
function contextFor(
  own: string,
  servers: readonly ChatServer[],
  maxTokens: number,
): { readonly context?: ContextSource } {
  if (maxTokens === 0) return {};
  return {
    async context(wanted, { signal }) {
      const chosen = servers.filter(({ name }) => wanted === 'allServers' || name === own);
      return (await autoContext(chosen, maxTokens, signal)).text;
    },
  };
}

/** The name of a server, also in the names of its tools: a URL is known by its host, or by more of it if another server has that name. */
function shortName(word: string, others: readonly ChatServer[]): string {
  if (!isUrl(word)) return word;
  const { host, pathname } = new URL(word);
  return [host, host + pathname].find((name) => others.every((one) => one.name !== name)) ?? word;
}

function countOf(option: string, text: string | undefined, byDefault: number): number {
  if (text === undefined) return byDefault;
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count < 2 ** 31) return count;
  throw new UsageError(`--${option} ${JSON.stringify(text)} must be a number from 1`);
}
