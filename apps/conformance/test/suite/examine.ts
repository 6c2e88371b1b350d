import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { leashed } from './run-with-timeout.js';
import { official } from './official.js';
import { type Outcome, outcomesIn } from './outcome.js';

/** Longest life of the server that is examined, in milliseconds. */
const serverMs = 180_000;
/** What one scenario may take a client, in milliseconds, the time included in which the others have their turns. */
const clientMs = 180_000;

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

/** Has the suite examine the client in all scenarios that it has for a revision; each client must end without a kill. */
export async function examineClients(
  program: string,
  revision: string,
  results: string,
): Promise<ReadonlyMap<string, Outcome>> {
  await mkdir(results, { recursive: true });
  const turns = new URL('turns.mjs', import.meta.url);
  turns.searchParams.set('folder', await mkdtemp(join(results, 'turns-')));
  return examined(['--import', turns.href, program], ['--requirements', revision], results);
}

/** Has the suite examine the client in one scenario that no revision lists; the client must end without a kill. */
export async function examineClient(
  program: string,
  revision: string,
  scenario: string,
  results: string,
): Promise<Outcome | undefined> {
  const which = ['--scenario', scenario, '--spec-version', revision, '--force'];
  return (await examined([program], which, join(results, scenario))).get(scenario);
}

async function examined(
  client: readonly string[],
  which: readonly string[],
  results: string,
): Promise<ReadonlyMap<string, Outcome>> {
  const command = [process.execPath, ...client].map((part) => JSON.stringify(part)).join(' ');
  const run = official([
    ...['client', '--command', command, '--timeout', String(clientMs), '--output-dir', results],
    ...which,
  ]);
  const code = await run.ended;
  const outcomes = await outcomesIn(results);
  if (code === 0) return outcomes;
  // What the suite prints says which of them it was.
  const end = `ended with ${code}: ${run.output().slice(-2_000)}`;
  return new Map([...outcomes].map(([name, outcome]) => [name, { ...outcome, end }]));
}
