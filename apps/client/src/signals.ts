import { exits } from './failure.js';

const codes = { SIGHUP: 129, SIGINT: exits.interrupted, SIGTERM: 143 } as const;

/** Where signals come from: the process. */
export interface SignalSource {
  on(signal: keyof typeof codes, handler: () => void): unknown;
  exit(code: number): void;
}

/** The signals that end the program. At a second one the process exits without waiting. */
export class Signals {
  readonly #aborting = new AbortController();
  readonly #handlers: (() => void)[] = [];
  /** The exit code of the signal that came. */
  code: number | undefined;

  constructor(source: SignalSource) {
    for (const signal of Object.keys(codes) as (keyof typeof codes)[]) {
      const code = codes[signal];
      source.on(signal, () => {
        const handler = signal === 'SIGINT' && this.code === undefined ? this.#handlers.at(-1) : undefined;
        if (handler !== undefined) {
          handler();
          return;
        }
        if (this.code !== undefined) source.exit(code);
        this.code = code;
        this.stop();
      });
    }
  }

  /** Aborts when the program must end. */
  get signal(): AbortSignal {
    return this.#aborting.signal;
  }

  /** Ends the program without a signal. */
  stop(): void {
    this.#aborting.abort();
  }

  /** Handles Ctrl-C until the returned function is called. */
  onInterrupt(handler: () => void): () => void {
    const own = (): void => handler();
    this.#handlers.push(own);
    return () => {
      const at = this.#handlers.indexOf(own);
      if (at !== -1) this.#handlers.splice(at, 1);
    };
  }
}
