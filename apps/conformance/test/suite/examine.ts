import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { leashed } from './run-with-timeout.js';
import { official } from './official.js';
import { type Outcome, outcomesIn, problemsOf } from './outcome.js';

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
  const run = await official(['server', '--url', url, '--requirements', revision, '--output-dir', results]);
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
  return examined([process.execPath, '--import', turns.href, program], ['--requirements', revision], results);
}

/**
 * Has the suite examine the client in all scenarios that it has for a revision, in one process for all of them: that takes a tenth of
 * the time. It must end without a kill.
 */
export async function examineClientsTogether(
  host: string,
  revision: string,
  results: string,
): Promise<{ readonly outcomes: ReadonlyMap<string, Outcome>; readonly end: string | undefined }> {
  const process = leashed([host], clientMs);
  const [, port] = (await process.said(/^listening (\d+)$/m)) ?? [];
  if (port === undefined) throw new Error(`the client did not start: ${process.output()}`);
  const script = fileURLToPath(new URL('scenario.sh', import.meta.url));
  const outcomes = await examined(['bash', script, port], ['--requirements', revision], results);
  process.stop();
  const stopped = await process.ended;
  return {
    outcomes,
    end: stopped === 0 ? undefined : `the client ended with ${stopped}: ${process.output()}`,
  };
}

/** Has the suite examine the client in one scenario that no revision lists; the client must end without a kill. */
export async function examineClient(
  program: string,
  revision: string,
  scenario: string,
  results: string,
): Promise<Outcome | undefined> {
  const which = ['--scenario', scenario, '--spec-version', revision, '--force'];
  return (await examined([process.execPath, program], which, join(results, scenario))).get(scenario);
}

async function examined(
  client: readonly string[],
  which: readonly string[],
  results: string,
): Promise<ReadonlyMap<string, Outcome>> {
  const command = client.map((part) => JSON.stringify(part)).join(' ');
  const run = await official([
    ...['client', '--command', command, '--timeout', String(clientMs), '--output-dir', results],
    ...which,
  ]);
  const code = await run.ended;
  const outcomes = await outcomesIn(results);
  // The suite ends with 1 where a scenario failed: that one says so itself.
  const isExplained = [...outcomes.values()].some((outcome) => problemsOf(outcome).length > 0);
  if (code === 0 || (code === 1 && isExplained)) return outcomes;
  // What the suite prints says which of them it was.
  const end = `ended with ${code}: ${run.output().slice(-2_000)}`;
  return new Map([...outcomes].map(([name, outcome]) => [name, { ...outcome, end }]));
}
