import {
  type Observable,
  catchError,
  defer,
  filter,
  finalize,
  fromEvent,
  lastValueFrom,
  map,
  merge,
  of,
  reduce,
  Subject,
  takeUntil,
  tap,
  throwError,
} from 'rxjs';
import type { Remote } from 'rxmcp';
import { afterPages } from '../asked/required-pages.js';
import { shownName } from '../asked/server-name.js';
import type { Command, CommandDefinition, Input, OptionTable, Program } from '../command.js';
import { command } from '../command.js';
import { exitOf, exits, LossError } from '../failure.js';
import type { Page } from '../output/page.js';
import { connect } from './connect.js';
import { followLosses } from './follow.js';
import {
  connectionOptions,
  type ConnectionOptionValues,
  connectionSettings,
  transportOption,
} from './options.js';

/** One value of the output. */
export interface Line {
  readonly value: unknown;
  /** Whether it reports a failure: the exit code is then 1. */
  readonly failed?: boolean;
  /** The text for a person at a terminal. @default indented JSON */
  readonly show?: (page: Page) => string;
}

/** The input of a command that is connected to its target. */
export interface RemoteInput<Table extends OptionTable> extends Input<Table> {
  readonly remote: Remote;
  readonly program: Program;
}

/** A command that is connected to one target. */
export interface RemoteCommandDefinition<Table extends OptionTable> extends Omit<
  CommandDefinition<Table>,
  'run' | 'target'
> {
  /** Checks the words before the program connects. Throws a UsageError. */
  check?(words: readonly string[]): void;
  /** Whether log records of the server are shown on standard error. @default true */
  readonly showsLog?: boolean;
  /** Whether it continues after a loss of the connection, which it then reports. @default false */
  readonly continues?: boolean;
  /** Runs the command. Lists emit a line per entry; other commands emit the result in its protocol form. */
  run(input: RemoteInput<Table>): Observable<Line>;
}

const remoteOptions = { ...transportOption, ...connectionOptions };

/** Defines a command that connects to its target, prints lines, and closes. Ctrl-C cancels what it does. */
export function remoteCommand<Table extends OptionTable = Record<never, never>>(
  definition: RemoteCommandDefinition<Table>,
): Command {
  const { showsLog = true, continues = false, ...others } = definition;
  const on: Command['on'] = async (remote, input, program) => {
    definition.check?.(input.words);
    const results = definition.run({ ...(input as unknown as Input<Table>), remote, program });
    const lines = continues ? withLosses(results, remote, program) : results;
    const visitor = { ...program, server: shownName(remote.info) };
    return (await printed(afterPages(lines, visitor), program)) ? exits.answered : exits.good;
  };
  const defined = command({
    ...others,
    target: 'one',
    options: { ...definition.options, ...remoteOptions } as Table & typeof remoteOptions,
    async run(input, program) {
      definition.check?.(input.words);
      const settings = connectionSettings(input.options as ConnectionOptionValues);
      const remote = await connect(input.target, { ...settings, showsLog }, program);
      try {
        return await on(remote, input as unknown as Input<OptionTable>, program);
      } finally {
        await remote.close();
      }
    },
  });
  return { ...defined, on };
}

/** Adds the losses of the connection; one that is lost for good is a LossError. */
function withLosses(
  results: Observable<Line>,
  remote: Remote,
  { terminal, output }: Program,
): Observable<Line> {
  return defer(() => {
    let [losses, isOpen] = [0, true];
    const ended$ = new Subject<void>();
    const events$ = followLosses(remote, terminal.tell).pipe(
      tap(({ state }) => {
        isOpen = state === 'open';
        losses += isOpen ? 0 : 1;
      }),
      filter(() => !output.isShown),
      map((value): Line => ({ value })),
      takeUntil(ended$),
    );
    const lines$ = results.pipe(
      catchError((error: unknown) =>
        throwError(() =>
          exitOf(error) === exits.connection ? new LossError(error, losses + (isOpen ? 1 : 0)) : error,
        ),
      ),
      finalize(() => ended$.next()),
    );
    return merge(events$, lines$);
  });
}

/** Prints every line; resolves with whether one of them reports a failure. */
function printed(lines: Observable<Line>, { output, signal }: Program): Promise<boolean> {
  return lastValueFrom(
    lines.pipe(
      takeUntil(signal.aborted ? of(signal) : fromEvent(signal, 'abort')),
      tap(({ value, show }) => output.print(value, show)),
      map(({ failed = false }) => failed),
      reduce((any, failed) => any || failed, false),
    ),
  );
}
