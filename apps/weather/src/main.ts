import { homedir } from 'node:os';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { serve } from 'rxmcp';
import { readArguments } from './arguments.js';
import { claudeDesktopFile, claudeDesktopFiles } from './config/claude-desktop.js';
import { type ServerEntry, textOfConfig, withServer } from './config/server-entry.js';
import { writeConfig } from './config/write-config.js';
import { recordedFetch } from './recorded.js';
import { weatherServer } from './server.js';
import { usage, UsageError } from './usage.js';
import { version } from './version.js';

const exits = { failed: 1, usage: 2 } as const;

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error((error as Error).message);
  // `serve` throws a TypeError for an invalid port.
  const isUsage = error instanceof UsageError || error instanceof TypeError;
  if (isUsage) console.error('main.js --help shows the usage');
  process.exitCode = isUsage ? exits.usage : exits.failed;
}

async function main(argv: readonly string[]): Promise<void> {
  const { does, file, offline } = readArguments(argv);
  const entry: ServerEntry = {
    command: process.execPath,
    args: [fileURLToPath(import.meta.url), ...(offline ? ['--offline'] : [])],
  };
  if (does === 'help') console.log(usage);
  else if (does === 'version') console.log(version);
  else if (does === 'print-config') printConfig(entry);
  else if (does === 'write-config') await writeTo(file, entry);
  else await serve(weatherServer(offline ? { fetch: recordedFetch } : {}), { argv });
}

function printConfig(entry: ServerEntry): void {
  process.stdout.write(textOfConfig(withServer('weather', entry)));
  console.error('The file of Claude Desktop is');
  for (const [system, file] of Object.entries(claudeDesktopFiles))
    console.error(`  ${system.padEnd(8)} ${file}`);
}

async function writeTo(
  file = claudeDesktopFile({ platform: process.platform, home: homedir(), env: process.env }),
  entry: ServerEntry,
): Promise<void> {
  const written = await writeConfig(file, 'weather', entry);
  const backup = written === 'changed' ? `; ${file}.bak is a copy of the previous one` : '';
  console.log(`${file}: ${written}${backup}. Restart Claude Desktop to use it`);
}
