/** The part of a child process that the kit watches. A `ChildProcess` of Node has it. */
export interface WatchedChild {
  once(event: 'exit', listener: (code: number | null, signal: string | null) => void): unknown;
  readonly stderr?: { on(event: 'data', listener: (chunk: unknown) => void): unknown } | null | undefined;
}

/** Reports to the kit what the processes of a fixture do, as the second argument of `serve`. */
export interface ProcessWatch {
  /** Watches a child process: a crash, or output on its standard error, breaks the rule that runs. */
  child(child: WatchedChild): void;
  /** Reports one line of the standard error of a process that the transport starts itself. */
  stderr(line: string): void;
}

interface ProcessEvents {
  on(event: string, listener: (value: unknown) => void): unknown;
  off(event: string, listener: (value: unknown) => void): unknown;
}

const { process } = globalThis as unknown as { process?: Partial<ProcessEvents> };
/** How a process ends that was asked to end, or that a `cut` hook ended. */
const usualSignals: ReadonlySet<string> = new Set(['SIGTERM', 'SIGKILL', 'SIGINT', 'SIGHUP']);
const maxProblems = 5;

/** Those that listen now. One listener of the process serves them all: rules may run at the same time. */
const listening = new Set<OutsideProblems>();
const listeners: readonly (readonly [string, (value: unknown) => void])[] = [
  ['unhandledRejection', (reason) => report(`a promise rejected unhandled with ${text(reason)}`)],
  ['uncaughtException', (error) => report(`an exception was not caught: ${text(error)}`)],
  ['warning', (warning) => warned(warning as Error)],
];

function report(problem: string): void {
  for (const problems of listening) problems.add(problem);
}

/** Other warnings are about the platform. */
function warned(warning: Error): void {
  if (warning.name === 'MaxListenersExceededWarning') report(`a warning: ${warning.message}`);
}

/** Collects what fails outside every promise of the transport while one rule runs. */
export class OutsideProblems implements ProcessWatch {
  readonly #problems: string[] = [];
  #count = 0;

  listen(): void {
    if (listening.size === 0) for (const [event, listener] of listeners) process?.on?.(event, listener);
    listening.add(this);
  }

  stop(): void {
    listening.delete(this);
    if (listening.size === 0) for (const [event, listener] of listeners) process?.off?.(event, listener);
  }

  /** What went wrong so far, in one line; empty where nothing did. */
  text(): string {
    const more = this.#count - this.#problems.length;
    return [...this.#problems, ...(more > 0 ? [`${String(more)} more`] : [])].join('; ');
  }

  child(child: WatchedChild): void {
    child.once('exit', (code, signal) => {
      const crashed = signal === null ? code !== 0 : !usualSignals.has(signal);
      if (crashed) this.add(`a child process ended with ${signal ?? `exit code ${String(code)}`}`);
    });
    child.stderr?.on('data', (chunk) => this.stderr(String(chunk)));
  }

  stderr(line: string): void {
    this.add(`a child process wrote to its standard error: ${line.trim().split('\n')[0] ?? ''}`);
  }

  add(problem: string): void {
    this.#count += 1;
    if (this.#problems.length < maxProblems && !this.#problems.includes(problem))
      this.#problems.push(problem);
  }
}

function text(reason: unknown): string {
  return reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason);
}
