import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exhaustive } from '../../../vitest.exhaustive.js';
import { examineClient, examineClients, examineClientsTogether, examineServer } from './suite/examine.js';
import type { Outcome } from './suite/outcome.js';
import { problemsOf } from './suite/outcome.js';
import { makePrograms, type Programs } from './suite/programs.js';
import { type Leg, requirementsOf } from './suite/requirements.js';
import { totalsOf } from './suite/totals.js';
import { runTwoAtATime } from './suite/run-two-at-a-time.js';

const newest = '2026-07-28';
const listed = await Promise.all(['2025-11-25', newest].map(requirementsOf));
// In an exhaustive run each scenario for a client is a process of its own, else one process runs all of them.
const sets = listed.map((set) => (exhaustive || set.revision === newest ? set : { ...set, client: [] }));
// The suite requires nothing of the revision in which the server was its own authorization server, and has scenarios for it.
const withoutRequirements = {
  revision: '2025-03-26',
  scenarios: ['auth/2025-03-26-oauth-metadata-backcompat', 'auth/2025-03-26-oauth-endpoint-fallback'],
};
const older = exhaustive ? [withoutRequirements] : [];
const legs: readonly Leg[] = ['server', 'client'];

const olderOutcomes = new Map<string, Outcome>();
const outcomes = new Map<string, ReadonlyMap<string, Outcome>>();
const ends = new Map<string, string | undefined>();
const clientEnds = new Map<string, string | undefined>();
const of = (leg: Leg, revision: string): ReadonlyMap<string, Outcome> =>
  outcomes.get(`${leg} ${revision}`) ?? new Map();

let programs: Programs;
let results: string;

beforeAll(async () => {
  programs = await makePrograms();
  results = await mkdtemp(join(tmpdir(), 'rxmcp-conformance-results-'));
  const servers = sets.map(({ revision }) => async () => {
    const examined = await examineServer(programs.server, revision, join(results, `server-${revision}`));
    outcomes.set(`server ${revision}`, examined.outcomes);
    ends.set(revision, examined.end);
  });
  const examinedClients = sets.filter(({ client }) => client.length > 0);
  const clients = examinedClients.map(({ revision }) => async () => {
    const folder = join(results, `client-${revision}`);
    if (exhaustive)
      outcomes.set(`client ${revision}`, await examineClients(programs.client, revision, folder));
    else {
      const examined = await examineClientsTogether(programs.host, revision, folder);
      outcomes.set(`client ${revision}`, examined.outcomes);
      clientEnds.set(revision, examined.end);
    }
  });
  const olderClients = older.flatMap(({ revision, scenarios }) =>
    scenarios.map((scenario) => async () => {
      const folder = join(results, `client-${revision}`);
      const outcome = await examineClient(programs.client, revision, scenario, folder);
      if (outcome !== undefined) olderOutcomes.set(scenario, outcome);
    }),
  );
  await runTwoAtATime([...servers, ...clients, ...olderClients]);
}, 300_000);

afterAll(async () => {
  for (const set of sets)
    for (const leg of legs) if (set[leg].length > 0) console.log(totalsOf(leg, set, of(leg, set.revision)));
  await Promise.all([programs.remove(), rm(results, { recursive: true, force: true })]);
});

describe.each(sets)('the official suite in $revision', ({ revision, server, client, leftOut }) => {
  it.each(server)('examines the server: %s', (scenario) => {
    expect(problemsOf(of('server', revision).get(scenario))).toEqual([]);
  });

  it.each(client)('examines the client: %s', (scenario) => {
    expect(problemsOf(of('client', revision).get(scenario))).toEqual([]);
  });

  it('ends well against the server, which then stops', () => {
    expect(ends.has(revision)).toBe(true);
    expect(ends.get(revision)).toBeUndefined();
  });

  if (!exhaustive && client.length > 0)
    it('leaves nothing open in the client, which then stops', () => {
      expect(clientEnds.has(revision)).toBe(true);
      expect(clientEnds.get(revision)).toBeUndefined();
    });

  it('runs all listed scenarios, except tasks', () => {
    const skipped = (leg: Leg): string[] =>
      leftOut.filter((one) => one.leg === leg).map(({ scenario }) => scenario);
    expect(server.length + client.length).toBeGreaterThan(0);
    expect(skipped('server').filter((name) => !name.startsWith('tasks-'))).toEqual([]);
    expect(skipped('client')).toEqual([]);
    // Against a server the suite runs a whole set, and tasks with it.
    expect([...of('server', revision).keys()].sort()).toEqual([...server, ...skipped('server')].sort());
    expect([...of('client', revision).keys()].sort()).toEqual([...client].sort());
  });
});

describe.each(older)('OAuth in $revision', ({ scenarios }) => {
  it.each(scenarios)('examines the client: %s', (scenario) => {
    expect(problemsOf(olderOutcomes.get(scenario))).toEqual([]);
  });
});
