import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';

/** What came of one scenario. */
export interface Outcome {
  readonly passed: number;
  readonly skipped: number;
  /** Which checks, with their reasons. */
  readonly failed: readonly string[];
  readonly warned: readonly string[];
  /** What the client wrote to its standard error. */
  readonly said?: string;
  /** Why it was killed or failed, if it was. */
  readonly end?: string | undefined;
}

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

/** Reads the results of all scenarios in a folder that the suite has written, by name. */
export async function outcomesIn(folder: string): Promise<ReadonlyMap<string, Outcome>> {
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  const checks = files.filter((path) => basename(path) === 'checks.json');
  return new Map(
    await Promise.all(
      checks.map(async (path): Promise<[string, Outcome]> => {
        const text = await readFile(join(folder, path), 'utf8').catch(() => '[]');
        const said = await readFile(join(folder, dirname(path), 'stderr.txt'), 'utf8').catch(() => '');
        // The name of a scenario may have a slash.
        const name = dirname(path).split(sep).join('/');
        return [name.replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ''), outcomeOf(JSON.parse(text) as Check[], said)];
      }),
    ),
  );
}

/** What is wrong with an outcome; nothing observed is as bad as a failed check. */
export function problemsOf(outcome: Outcome | undefined): readonly string[] {
  if (outcome === undefined) return ['it did not run'];
  const { passed, failed, warned, said = '', end } = outcome;
  const problems = [
    ...failed,
    ...(passed + warned.length === 0 ? ['nothing was observed'] : []),
    ...(end === undefined ? [] : [end]),
  ];
  return problems.length > 0 && said !== '' ? [...problems, `the client wrote: ${said}`] : problems;
}

// That all messages were valid is no observation: it holds of none, too.
function outcomeOf(checks: readonly Check[], said: string): Outcome {
  const those = (status: Check['status']): string[] =>
    checks
      .filter((check) => check.status === status)
      .map(({ id, errorMessage = '' }) => `${id}: ${errorMessage}`);
  return {
    passed: checks.filter(({ status, id }) => status === 'SUCCESS' && id !== 'wire-schema-valid').length,
    skipped: those('SKIPPED').length,
    failed: those('FAILURE'),
    warned: those('WARNING'),
    ...(said === '' ? {} : { said }),
  };
}
