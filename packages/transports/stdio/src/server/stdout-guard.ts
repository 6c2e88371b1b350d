import { Console } from 'node:console';

/** Standard output, owned. */
export interface StdoutGuard {
  /** Writes for the owner, and calls back once it is written; false = wait for its drain. */
  write(text: string, written?: () => void): boolean;
  /** Gives everything back. */
  restore(): void;
}

let owned = false;

/**
 * Reserves standard output for messages: `console` prints to stderr, and other writes to `process.stdout` go to stderr too and are
 * reported to `stray`. Writes of native modules or child processes to the file descriptor cannot be caught.
 */
export function guardStdout(stray: (text: string) => void): StdoutGuard {
  if (owned) throw new TypeError('`serveStdio`: standard output is served already');
  owned = true;
  const { stdout, stderr } = process;
  const original = stdout.write;
  const restoreConsole = consoleToStderr();
  const diverted = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    stray(typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk));
    return Reflect.apply(stderr.write, stderr, [chunk, ...rest]) as boolean;
  };
  stdout.write = diverted as typeof stdout.write;
  return {
    write: (text, written) => original.call(stdout, text, 'utf8', written),
    restore() {
      if (!owned) return;
      owned = false;
      if (stdout.write === diverted) stdout.write = original;
      restoreConsole();
    },
  };
}

type Methods = Record<string, unknown>;

function consoleToStderr(): () => void {
  const target = globalThis.console as unknown as Methods;
  const replacement = new Console(process.stderr, process.stderr) as unknown as Methods;
  const before: Methods = {};
  for (const name of Object.keys(replacement)) {
    if (typeof target[name] !== 'function' || typeof replacement[name] !== 'function') continue;
    before[name] = target[name];
    target[name] = replacement[name];
  }
  return () => void Object.assign(target, before);
}
