import { join } from 'node:path';
import { leashed } from './run-with-timeout.js';
import { official } from './official.js';
import { type Outcome, outcomesIn } from './outcome.js';

/** Longest life of the server that is examined, in milliseconds. */
const serverMs = 180_000;
/** What one scenario may take a client, in milliseconds. */
const clientMs = 30_000;

/** Starts the server and has the suite examine it in one revision; the server must stop on request, without a kill. */
export async function examineServer(
  program: string,
  revision: string,
  results: string,
): Promise<{ readonly outcomes: ReadonlyMap<string, Outcome>; readonly end: string | undefined }> {
  const server = leashed([program, '--port', '0'], serverMs);
  const [, url] = (await server.said(/^listening (\S+)$/m)) ?? [];
  if (url === undefined) throw new Error(`the server did not start: ${server.output()}`);
  const run = official(['server', '--url', url, '--requirements', revision, '--output-dir', results]);
  const code = await run.ended;
  server.stop();
  const stopped = await server.ended;
  const found = await outcomesIn(results);
  return {
    outcomes: new Map([...found].map(([name, outcome]) => [name.replace(/^server-(?=.)/, ''), outcome])),
    end: code === 0 && stopped === 0 ? undefined : `the suite ended with ${code}, the server with ${stopped}`,
  };
}

/** Has the suite examine the client in one scenario; the client must end without a kill. */
export async function examineClient(
  program: string,
  revision: string,
  scenario: string,
  results: string,
): Promise<Outcome | undefined> {
  const own = join(results, scenario);
  const command = `${JSON.stringify(process.execPath)} ${JSON.stringify(program)}`;
  const run = official([
    ...['client', '--command', command, '--timeout', String(clientMs), '--output-dir', own],
    ...['--scenario', scenario, '--spec-version', revision, '--force'],
  ]);
  const code = await run.ended;
  const outcome = (await outcomesIn(own)).get(scenario);
  if (outcome === undefined || code === 0) return outcome;
  return { ...outcome, end: `ended with ${code}: ${run.output().slice(-2_000)}` };
}
