/*
 * Runs the tests of each package, then those of the packages that depend on it, then those of several packages, against seeded mutations
 * of its sources, in a copy of the tree:
 *   npm run mutate -- --seed 7                                 200 mutations over all packages
 *   npm run mutate -- --seed 7 --count 40 --package core       40 mutations of one package; --package may be repeated
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { copyOfTree } from './copy.js';
import { describeMutation, mutate, type Mutation, mutationsOf } from './mutations.js';
import { runVitest, type VitestRun } from './run-vitest.js';
import { shuffled } from './seeded-random.js';
import { typeCheck } from './type-check.js';

/** A mutation of one source of a package. */
interface Mutant extends Mutation {
  /** The folder of the package, relative to the root. */
  readonly packageFolder: string;
  readonly file: string;
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '200' },
    package: { type: 'string', multiple: true },
  },
});
const seed = wholeNumber('seed');
const count = wholeNumber('count');
/** A mutation may make a loop endless. */
const limitMs = 900_000;

const folder = copyOfTree();
const allFolders = ['packages', 'packages/primitives', 'packages/transports']
  .flatMap((parent) => readdirSync(join(folder, parent)).map((name) => `${parent}/${name}`))
  .filter((packageFolder) => existsSync(join(folder, packageFolder, 'package.json')))
  .sort();
const packageFolders = allFolders.filter(
  (packageFolder) => values.package?.includes(basename(packageFolder)) ?? true,
);
if (packageFolders.length === 0) throw new Error(`no package is named ${values.package?.join(' or ')}`);

const mutants = chosenMutants();
console.log(`${mutants.length} mutations, seed ${seed}`);
let killed = 0;
for (const packageFolder of packageFolders) {
  const own = mutants.filter((mutant) => mutant.packageFolder === packageFolder);
  if (own.length > 0) killed += await killedIn(packageFolder, own);
}
const survived = mutants.length - killed;
const score = ((100 * killed) / mutants.length).toFixed(1);
console.log(`${killed} killed, ${survived} survived, score ${score} %`);

function wholeNumber(name: 'seed' | 'count'): number {
  const value = Number(values[name]);
  if (!Number.isInteger(value) || value < 1)
    throw new TypeError(`--${name} must be a positive integer, not ${values[name]}`);
  return value;
}

/** Picks the mutations that type-check. */
function chosenMutants(): Mutant[] {
  const sources = packageFolders.flatMap((packageFolder) =>
    filesIn(`${packageFolder}/src`, '.ts').map((file) => ({ packageFolder, file })),
  );
  const texts = new Map(sources.map(({ file }) => [file, readFileSync(join(folder, file), 'utf8')]));
  const all = sources.flatMap((source) =>
    mutationsOf(texts.get(source.file) as string).map((mutation) => ({ ...source, ...mutation })),
  );
  const check = typeCheck(folder, texts);
  const chosen: Mutant[] = [];
  for (const mutant of shuffled(all, seed)) {
    if (chosen.length === count) break;
    if (check(mutant.file, mutate(texts.get(mutant.file) as string, mutant))) chosen.push(mutant);
  }
  return chosen.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.start - b.start));
}

/** Runs the mutations of one package, prints each with its end, and returns how many are killed. */
async function killedIn(packageFolder: string, own: readonly Mutant[]): Promise<number> {
  console.log(`${basename(packageFolder)}: ${own.length} mutations`);
  let killed = 0;
  for (const mutant of own) {
    const source = readFileSync(join(folder, mutant.file), 'utf8');
    const { line, before, after } = describeMutation(source, mutant);
    const isKilled = await killedBy(packageFolder, mutant, source);
    console.log(`${isKilled ? 'killed' : 'survived'}  ${mutant.file}:${line}  ${before} -> ${after}`);
    if (isKilled) killed += 1;
  }
  return killed;
}

/** Whether tests of the package fail with the mutation and pass without it. */
async function killedBy(packageFolder: string, mutant: Mutant, source: string): Promise<boolean> {
  const path = join(folder, mutant.file);
  const own = ['--project', basename(packageFolder)];
  const others = allFolders
    .filter((other) => other !== packageFolder)
    .flatMap((other) => ['--project', basename(other)]);
  const passed = new Set<string>();
  const tests = (): string[] =>
    filesIn(`${packageFolder}/test`, '.test.ts').filter((file) => !passed.has(file));
  // Most mutations are killed by the tests that name their file. A test that starts a process imports nothing of what the process runs.
  const rounds: readonly (() => string[])[] = [
    () =>
      withFiles(
        tests().filter((file) => names(file, mutant.file)),
        own,
      ),
    () => ['related', mutant.file, ...own],
    () => withFiles(tests(), own),
    () => ['related', mutant.file, ...others],
    () => ['--config', 'vitest.mutation.config.ts'],
  ];
  for (const round of rounds) {
    for (let isDone = false; !isDone;) {
      const args = round();
      if (args.length === 0) break;
      writeFileSync(path, mutate(source, mutant));
      const run = await runVitest(folder, [...args, '--run', '--bail', '1', '--passWithNoTests'], limitMs);
      writeFileSync(path, source);
      isDone = run.end === 'passed';
      if (isDone) for (const { name } of run.report?.testResults ?? []) passed.add(relative(folder, name));
      else if (await passesWithout(failedFiles(run), args)) return true;
    }
  }
  return false;
}

/** Arguments that run these files; none where there are no files, as then all would be run. */
function withFiles(files: readonly string[], args: readonly string[]): string[] {
  return files.length === 0 ? [] : [...files, ...args];
}

function names(test: string, source: string): boolean {
  const name = basename(source, '.ts');
  return test.includes(name) || readFileSync(join(folder, test), 'utf8').includes(`/${name}.js'`);
}

/** Whether tests pass without a mutation. One that fails then would kill all mutations: it is left out. */
async function passesWithout(failed: readonly string[], args: readonly string[]): Promise<boolean> {
  const options = args.slice(args.findIndex((arg) => arg.startsWith('--')));
  const again = await runVitest(
    folder,
    [...(failed.length > 0 ? [...failed, ...options] : args), '--run'],
    limitMs,
  );
  if (again.end === 'passed') return true;
  const failing = failedFiles(again);
  if (failing.length === 0)
    throw new Error(`the tests do not end without a mutation either: ${args.join(' ')}`);
  for (const file of failing) {
    console.log(`left out, since it fails without a mutation: ${file}`);
    rmSync(join(folder, file));
  }
  return false;
}

function failedFiles({ report }: VitestRun): string[] {
  const failed = report?.testResults.filter(({ status }) => status === 'failed') ?? [];
  return failed.map(({ name }) => relative(folder, name));
}

/** Paths of the files below a folder, relative to the root. */
function filesIn(under: string, ending: string): string[] {
  const start = join(folder, under);
  if (!existsSync(start)) return [];
  return readdirSync(start, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${under}/${name.replaceAll('\\', '/')}`)
    .sort();
}
