import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
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
  const report = join(folder, 'breaking-report.json');
  rmSync(report, { force: true });
  const runner = join(folder, 'node_modules/vitest/vitest.mjs');
  const names = files.map((file) => file.replace(/^.*\/(?=(?:test|spec)\/)/, ''));
  const own = ['--root', join(folder, 'apps/e2e'), '--config', 'vitest.spec.config.ts'];
  const which = project === 'spec' ? own : ['--project', project];
  // Almost all sources are those of the run before, so what they were made into is kept in the copy.
  const kept = ['--experimental.fsModuleCache', '--experimental.fsModuleCachePath', join(folder, 'kept')];
  const shown = ['--reporter', 'json', '--outputFile', report];
  const options = ['-t', pattern, '--testTimeout', '8000', ...shown, ...kept];
  const child = spawn(process.execPath, [runner, 'run', ...names, ...which, ...options], {
    cwd: folder,
    stdio: 'ignore',
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), 180_000);
  const status = await new Promise<number | null>((resolve) => void child.once('exit', resolve));
  clearTimeout(limit);
  if (status === null) return { passed: [], failed: [], hung: true, unloadable: false };
  const passed = titlesIn(report, 'passed');
  const failed = titlesIn(report, 'failed');
  return { passed, failed, hung: false, unloadable: passed.length + failed.length === 0 };
}

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

function titlesIn(report: string, wanted: 'passed' | 'failed'): string[] {
  let text: string;
  try {
    text = readFileSync(report, 'utf8');
  } catch {
    // It did not come to a report: something is broken so badly that nothing can be loaded.
    return [];
  }
  return (JSON.parse(text) as Report).testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === wanted)
    .map(({ fullName }) => fullName);
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
