#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { checkServer } from '@rxmcp/app-serving/check-server';
import { findProgram } from '@rxmcp/app-serving/find-program';
import { nextStep } from '@rxmcp/app-serving/next-step';
import { untilStopped } from '@rxmcp/app-serving/until-stopped';
import { helpAfter, UsageError } from '@rxmcp/app-serving/usage-error';
import packageJson from 'rxmcp/package.json' with { type: 'json' };
import { stdio } from 'rxmcp/stdio';
import { readArguments, usage } from './arguments.js';
import { type PageFiles, servePlayground } from './serve.js';

// The reader of standard error may close it first: writes then fail, which must not end the process.
process.stderr.on('error', () => undefined);

try {
  const invocation = readArguments(process.argv.slice(2));
  if (invocation === 'help') process.stdout.write(`${usage}\n`);
  else if (invocation === 'version') process.stdout.write(`${packageJson.version}\n`);
  else {
    const { port, target } = invocation;
    // Without a program the page would show the failure, once someone connects.
    if (typeof target === 'object') await findProgram(target.command, process.env);
    const server = typeof target === 'object' ? stdio(target) : target;
    const serving = await servePlayground({ port, files: await pageFiles(), target: server });
    untilStopped(serving);
    for (const url of serving.urls) process.stderr.write(`listening ${url}\n`);
    if (typeof server === 'object') await checkServer(server, console.error);
  }
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  const isUsage = error instanceof UsageError || code === 'EADDRINUSE';
  console.error(`${message}${helpAfter(error)}${nextStep(message)}`);
  process.exitCode = isUsage ? 2 : 1;
}

async function pageFiles(): Promise<PageFiles> {
  const [html, css, script] = await Promise.all(
    ['index.html', 'page.css', 'page.js'].map((name) => readFile(new URL(`page/${name}`, import.meta.url))),
  );
  return { html, css, script } as PageFiles;
}
