import type { Observable } from 'rxjs';
import { defer, filter, from, map, mergeMap, of, tap } from 'rxjs';
import type { CallOptions, JsonObject, Remote } from 'rxmcp';
import type { Completion } from 'rxmcp/completion';
import { completion } from 'rxmcp/completion';
import { prompts } from 'rxmcp/prompts';
import { resources } from 'rxmcp/resources';
import { tools } from 'rxmcp/tools';
import { UsageError } from './usage.js';

/** One line of output; `failed` if it reports a failure. */
export interface Line {
  readonly value: unknown;
  readonly failed?: boolean;
}

/** The input of a command. */
interface Order {
  readonly remote: Remote;
  /** The NAME or URI. */
  readonly name: string;
  readonly args: JsonObject;
  readonly options: CallOptions;
  /** Writes a line for the person to standard error, apart from the output. */
  tell(text: string): void;
}

/** A command of the client. */
interface Command {
  readonly takes: { readonly name?: 'NAME' | 'URI'; readonly args?: boolean };
  /** Runs the command. Lists emit one line per entry; other commands emit the result in its protocol form. */
  run(order: Order): Observable<Line>;
}

export type CommandName =
  | 'info'
  | 'tools'
  | 'call'
  | 'resources'
  | 'templates'
  | 'read'
  | 'watch'
  | 'prompts'
  | 'prompt'
  | 'complete';

/** All commands by name. */
export const commands: Readonly<Record<CommandName, Command>> = {
  info: command({}, ({ remote }) => {
    const { info, version, capabilities, instructions } = remote;
    return of({ value: { server: info, protocol: version, capabilities, instructions } });
  }),
  tools: list('tools', ({ remote, options }) => tools(remote).list(options)),
  call: command({ name: 'NAME', args: true }, ({ remote, name, args, options, tell }) =>
    tools(remote)
      .events(name, args, options)
      .pipe(
        tap((event) => {
          if (event.type === 'progress') tell(shownProgress(event));
        }),
        filter((event) => event.type === 'result'),
        map(({ result }) => ({ value: result, failed: result.isError === true })),
      ),
  ),
  resources: list('resources', ({ remote, options }) => resources(remote).list(options)),
  templates: list('resources', ({ remote, options }) => resources(remote).templates(options)),
  read: command({ name: 'URI' }, ({ remote, name, options }) =>
    resources(remote)
      .read(name, options)
      .pipe(map((contents) => ({ value: { contents } }))),
  ),
  watch: command({ name: 'URI' }, ({ remote, name, tell }) => {
    const watched = resources(remote).watch(name);
    if (!watched.isLive)
      tell('this server does not announce changes of resources: it is read again only when the list changes');
    return watched.pipe(map((contents) => ({ value: { contents } })));
  }),
  prompts: list('prompts', ({ remote, options }) => prompts(remote).list(options)),
  prompt: command({ name: 'NAME', args: true }, ({ remote, name, args, options }) =>
    prompts(remote)
      .get(name, stringsOf(args), options)
      .pipe(map((value) => ({ value }))),
  ),
  complete: command({ name: 'NAME', args: true }, ({ remote, name, args, options }) =>
    suggestions(remote, name, stringsOf(args), options).pipe(
      map((completion) => ({ value: { completion } })),
    ),
  ),
};

function command(takes: Command['takes'], run: Command['run']): Command {
  return { takes, run: (order) => defer(() => run(order)) };
}

/** A command that prints one line per entry. Says so where the server has none of the kind, which an empty output does not. */
function list(
  kind: 'tools' | 'resources' | 'prompts',
  entries: (order: Order) => Observable<readonly unknown[]>,
): Command {
  return command({}, (order) => {
    if (!(kind in order.remote.capabilities)) order.tell(`this server has no ${kind}`);
    return entries(order).pipe(
      mergeMap((page) => from(page), 1),
      map((value) => ({ value })),
    );
  });
}

function stringsOf(args: JsonObject): Readonly<Record<string, string>> {
  const wrong = Object.keys(args).find((name) => typeof args[name] !== 'string');
  if (wrong !== undefined) throw new UsageError(`the argument "${wrong}" must be a string`);
  return args as Readonly<Record<string, string>>;
}

function shownProgress(event: { progress: number; total?: number; message?: string }): string {
  const { progress, total, message } = event;
  const done = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return message === undefined ? `progress: ${done}` : `progress: ${done}, ${message}`;
}

/**
 * The server's suggestions for the last argument, whose value is what was typed so far; the others are sent as context. A name with
 * a brace is the text of a URI template. Throws a UsageError without arguments.
 */
function suggestions(
  remote: Remote,
  name: string,
  args: Readonly<Record<string, string>>,
  options: CallOptions,
): Observable<Completion> {
  const known = Object.entries(args);
  const last = known.pop();
  if (last === undefined)
    throw new UsageError('complete needs ARGS, whose last member is completed, such as {"name": "A"}');
  const [argument, typed] = last;
  const asked = known.length === 0 ? options : { ...options, arguments: Object.fromEntries(known) };
  return name.includes('{')
    ? completion(remote).template(name, argument, typed, asked)
    : completion(remote).prompt(name, argument, typed, asked);
}
