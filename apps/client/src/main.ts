#!/usr/bin/env node
import process from 'node:process';
import packageJson from 'rxmcp/package.json' with { type: 'json' };
import { readArguments } from './arguments.js';
import { describeError, exits } from './failure.js';
import { jsonLine, oneLine } from './printable.js';
import { run } from './run.js';
import { Terminal } from './terminal.js';
import { usage, UsageError } from './usage.js';

const signals = { SIGHUP: 129, SIGINT: exits.interrupted, SIGTERM: 143 } as const;

process.exitCode = await main(process.argv.slice(2));
// Open handles, such as standard input, must not keep the process alive; output must be written first, or its failure reported.
process.stdout.write('', () => setImmediate(() => process.exit()));

async function main(argv: readonly string[]): Promise<number> {
  const stop = new AbortController();
  let signalled: number | undefined;
  for (const [signal, code] of Object.entries(signals)) {
    process.on(signal, () => {
      // At a second signal, exit without waiting.
      if (signalled !== undefined) process.exit(code);
      signalled = code;
      stop.abort();
    });
  }
  let unwritten = false;
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    stop.abort();
    // The reader of the output closed it, as `head` does.
    if (code === 'EPIPE' || unwritten) return;
    unwritten = true;
    process.exitCode = exits.answered;
    process.stderr.write(`the output could not be written: ${code ?? oneLine(message)}\n`);
  });
  // If standard error is closed, standard output must still be written.
  process.stderr.on('error', () => undefined);
  let terminal: Terminal | undefined;
  try {
    rejectOldNode();
    const invocation = readArguments(argv);
    if (invocation === 'help') {
      process.stdout.write(`${usage}\n`);
      return exits.good;
    }
    const { approve } = invocation;
    const present = process.stdin.isTTY === true && process.stderr.isTTY === true;
    terminal = new Terminal(
      process.stdin,
      process.stderr,
      approve === 'ask' || (approve === undefined && present),
    );
    const code = await run(invocation, {
      terminal,
      env: process.env,
      print: (value) => process.stdout.write(jsonLine(value)),
      signal: stop.signal,
    });
    if (signalled !== undefined) return signalled;
    if (unwritten) return exits.answered;
    return stop.signal.aborted ? exits.good : code;
  } catch (error) {
    process.stderr.write(`${oneLine(describeError(error))}\n`);
    if (!(error instanceof UsageError)) return exits.answered;
    process.stderr.write('rxmcp --help shows how it is called\n');
    return exits.usage;
  } finally {
    terminal?.close();
  }
}

// An older one fails later, with an error that names no cause.
function rejectOldNode(): void {
  const oldest = packageJson.engines.node.replace('>=', '');
  const { node } = process.versions;
  if (node.localeCompare(oldest, undefined, { numeric: true }) < 0)
    throw new UsageError(`rxmcp needs Node.js ${oldest} or newer, this is ${node}. Update Node.js`);
}
