import { runVitest } from '../../mutation/run-vitest.js';
import { citations, parted } from '../citations.js';
import type { Clause } from '../clause.js';

/** Some tests of one project. */
export interface Tests {
  readonly project: string;
  readonly files: readonly string[];
  /** Part of their titles, as a regular expression. */
  readonly pattern: string;
}

/** How they ended. */
export interface Verdict {
  /** The titles of those that passed. */
  readonly passed: readonly string[];
  /** The titles of those that failed. */
  readonly failed: readonly string[];
  /** They did not come to an end. */
  readonly hung: boolean;
  /** None came to run, since a source could not be loaded. */
  readonly unloadable: boolean;
}

/** The tests that show an entry: those that cite it, or else those that it names. */
export function testsOf({ id, shownBy = [] }: Clause): Tests[] {
  const files = citations().get(id);
  if (files !== undefined) return [{ project: 'spec', files, pattern: `${id}[ \\]]` }];
  return shownBy.map((reference) => {
    const { path, rest } = parted(reference);
    const project = path.split('/test/')[0]?.split('/').at(-1) ?? '';
    return { project, files: [path], pattern: literal(rest) };
  });
}

/** The same tests, those of each project together and each once. */
export function together(tests: readonly Tests[]): Tests[] {
  return [...new Set(tests.map(({ project }) => project))].map((project) => {
    const its = tests.filter((some) => some.project === project);
    const files = [...new Set(its.flatMap((some) => some.files))];
    return { project, files, pattern: [...new Set(its.map(({ pattern }) => pattern))].join('|') };
  });
}

/** Runs tests in a copy of the tree; tests that hang have failed. */
export async function run(folder: string, { project, files, pattern }: Tests): Promise<Verdict> {
  const names = files.map((file) => file.replace(/^.*\/(?=(?:test|spec)\/)/, ''));
  const own = ['--root', folder, '--config', 'apps/e2e/vitest.spec.config.ts'];
  const which = project === 'spec' ? own : ['--project', project];
  const options = ['-t', pattern, '--testTimeout', '8000'];
  const { end, report } = await runVitest(folder, ['run', ...names, ...which, ...options], 180_000);
  const tests = report?.testResults.flatMap(({ assertionResults }) => assertionResults) ?? [];
  const titles = (wanted: string): string[] =>
    tests.filter(({ status }) => status === wanted).map(({ fullName }) => fullName);
  const passed = titles('passed');
  const failed = titles('failed');
  const hung = end === 'timeout';
  return { passed, failed, hung, unloadable: !hung && passed.length + failed.length === 0 };
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
