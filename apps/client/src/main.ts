#!/usr/bin/env node
import process from 'node:process';
import packageJson from 'rxmcp/package.json' with { type: 'json' };

// The version is printed without loading the rest, which takes most of the time.
if (process.argv.length === 3 && process.argv[2] === '--version')
  process.stdout.write(`${packageJson.version}\n`);
else {
  const { main } = await import('./program.js');
  process.exitCode = await main(process.argv.slice(2), process);
  // Open handles, such as standard input, must not keep the process alive; output must be written first, or its failure reported.
  process.stdout.write('', () => setImmediate(() => process.exit()));
}
