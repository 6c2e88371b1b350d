import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Row } from '../settings.js';
import type { Tasks } from './tasks.js';

const probe = new URL('./cpu-probe.js', import.meta.url).href;

/** The flags of every measured process. */
const flags = ['--import', probe];

/** Runs a script of this folder in a process of its own, and returns the rows that it sends for a task. */
export async function measuredRows<Script extends keyof Tasks>(
  script: Script,
  task: Tasks[Script],
): Promise<Row[]> {
  const child = new MeasuredChild(script, [JSON.stringify(task)], 'ignore');
  try {
    const [rows] = (await Promise.race([once(child.process, 'message'), child.failed()])) as [Row[]];
    // NaN does not survive the channel.
    return rows.map((row) => ({ ...row, p50Micros: row.p50Micros ?? NaN, p99Micros: row.p99Micros ?? NaN }));
  } finally {
    await child.stop();
  }
}

/** A script of this folder, in a process with the probe. Its standard error is kept for the message when it fails. */
export class MeasuredChild {
  readonly process: ChildProcess;
  #stderr = '';

  /** @param more Flags of Node besides those of all. */
  constructor(
    script: string,
    args: readonly string[],
    pipes: 'pipe' | 'ignore',
    more: readonly string[] = [],
  ) {
    const path = fileURLToPath(new URL(`./${script}.js`, import.meta.url));
    this.process = spawn(process.execPath, [...flags, ...more, path, ...args], {
      stdio: [pipes, pipes, 'pipe', 'ipc'],
    });
    this.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-4_096);
    });
  }

  /** Where it listens; it says so on its standard error. */
  async listening(): Promise<string> {
    for (;;) {
      const said = /^listening (\S+)$/m.exec(this.#stderr)?.[1];
      if (said !== undefined) return said;
      await once(this.process.stderr as Readable, 'data');
    }
  }

  /** The processor time it has used so far, user and system, in microseconds. */
  cpuMicros(): Promise<number> {
    return this.#ask('cpu');
  }

  /** Its heap after all garbage was collected, in bytes; needs the flag --expose-gc. */
  heapBytes(): Promise<number> {
    return this.#ask('heap');
  }

  /** Rejects when it exits. */
  async failed(): Promise<never> {
    const [code, signal] = (await once(this.process, 'exit')) as [number | null, string | null];
    throw new Error(`a measured process ended with ${signal ?? code}: ${this.#stderr}`);
  }

  /** Ends it. */
  async stop(): Promise<void> {
    const { process: child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  async #ask(what: string): Promise<number> {
    const reply = once(this.process, 'message');
    this.process.send(what);
    return (await reply)[0] as number;
  }
}
