import process from 'node:process';
import { untilStopped } from '@rxmcp/app-serving/until-stopped';
import { nextStep } from '@rxmcp/app-serving/next-step';
import { helpAfter } from '@rxmcp/app-serving/usage-error';
import { readArguments, textToPrint } from './arguments.js';
import { failureOf, openServer } from './serve.js';

// The reader of standard error may close it first: writes then fail, which must not end the process.
process.stderr.on('error', () => undefined);

try {
  await main(process.argv.slice(2));
} catch (error) {
  const { reason, isUsage } = failureOf(error);
  // One line: clients show the last one of a server that ends immediately.
  console.error(`${reason}${helpAfter(error)}${nextStep(reason)}`);
  process.exitCode = isUsage ? 2 : 1;
}

async function main(args: readonly string[]): Promise<void> {
  const text = textToPrint(args);
  if (text !== undefined) return void process.stdout.write(`${text}\n`);
  const serving = await openServer(readArguments(args, process.env), { exitsWithClient: true });
  // A client on standard input and output alone ends the process.
  if (serving.urls.length > 0) untilStopped(serving);
  for (const url of serving.urls) process.stderr.write(`listening ${url}\n`);
}
