import { official } from './official.js';

/** Who is examined. */
export type Leg = 'server' | 'client';

/** What the suite has for one revision. */
export interface Requirements {
  readonly revision: string;
  readonly server: readonly string[];
  readonly client: readonly string[];
  /** What is not judged here, and why. */
  readonly leftOut: readonly { readonly leg: Leg; readonly scenario: string; readonly reason: string }[];
}

/** Asks the suite for all scenarios of a revision, those that it does not score included. */
export async function requirementsOf(revision: string): Promise<Requirements> {
  const run = await official(['list', '--requirements', revision]);
  if ((await run.ended) !== 0) throw new Error(`the suite lists nothing for ${revision}: ${run.output()}`);
  const all = listed(run.output());
  const judged = (leg: Leg): string[] =>
    all.filter((one) => one.leg === leg && reasonFor(one) === undefined).map(({ scenario }) => scenario);
  return {
    revision,
    server: judged('server'),
    client: judged('client'),
    leftOut: all.flatMap((one) => {
      const reason = reasonFor(one);
      return reason === undefined ? [] : [{ ...one, reason }];
    }),
  };
}

interface Listed {
  readonly leg: Leg;
  readonly scenario: string;
}

function reasonFor({ leg, scenario }: Listed): string | undefined {
  if (leg === 'server' && scenario.startsWith('tasks-')) return 'the extension of tasks is not offered';
  return undefined;
}

// Headings say the leg of what is required; each requirement that is not scored says so.
function listed(text: string): Listed[] {
  let heading: Leg | undefined;
  return text.split('\n').flatMap((line): Listed[] => {
    if (line.startsWith('Server scenarios')) heading = 'server';
    else if (line.startsWith('Client scenarios')) heading = 'client';
    else if (/^\S/.test(line)) heading = undefined;
    const [, scenario, own] = /^\s+- (\S+)(?: \[(server|client)\])?$/.exec(line) ?? [];
    const leg = (own as Leg | undefined) ?? heading;
    return scenario === undefined || leg === undefined ? [] : [{ leg, scenario }];
  });
}
