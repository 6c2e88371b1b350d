/*
 * Runs the tests of each package against seeded mutations of its sources, in a copy of the tree:
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

const folder = copyOfTree();
const packageFolders = ['packages', 'packages/primitives', 'packages/transports']
  .flatMap((parent) => readdirSync(join(folder, parent)).map((name) => `${parent}/${name}`))
  .filter((packageFolder) => existsSync(join(folder, packageFolder, 'package.json')))
  .sort()
  .filter((packageFolder) => values.package?.includes(basename(packageFolder)) ?? true);
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

/** Runs the mutations of one package and prints those that survive; returns how many are killed. */
async function killedIn(packageFolder: string, own: readonly Mutant[]): Promise<number> {
  const hasTests = existsSync(join(folder, packageFolder, 'test'));
  // The end-to-end tests are those of a package that has none itself.
  const project = ['--project', hasTests ? basename(packageFolder) : 'e2e'];
  const related = (files: readonly string[]): string[] => ['related', ...files, '--run', ...project];
  const before = await runVitest(
    folder,
    hasTests ? ['run', ...project] : related([...new Set(own.map(({ file }) => file))]),
    3_600_000,
  );
  leaveOutFailing(packageFolder, before);
  const tests = filesIn(`${packageFolder}/test`, '.test.ts');
  const limitMs = (30 + 3 * before.seconds) * 1000;
  console.log(`${basename(packageFolder)}: ${own.length} mutations`);
  let killed = 0;
  for (const mutant of own) {
    const path = join(folder, mutant.file);
    const source = readFileSync(path, 'utf8');
    writeFileSync(path, mutate(source, mutant));
    let run = await runVitest(folder, [...related([mutant.file]), '--bail', '1'], limitMs);
    if (run.end === 'passed') {
      // A test that starts a process imports nothing of what the process runs.
      const ran = run.report?.testResults.map(({ name }) => name) ?? [];
      const others = tests.filter((file) => !ran.includes(join(folder, file)));
      if (others.length > 0)
        run = await runVitest(folder, ['run', ...others, ...project, '--bail', '1'], limitMs);
    }
    writeFileSync(path, source);
    if (run.end === 'passed') {
      const change = describeMutation(source, mutant);
      console.log(`survived  ${mutant.file}:${change.line}  ${change.before} -> ${change.after}`);
    } else killed += 1;
  }
  return killed;
}

/** A test file that fails without any mutation would kill all of them. */
function leaveOutFailing(packageFolder: string, { end, report }: VitestRun): void {
  const failing = report?.testResults.filter(({ status }) => status === 'failed') ?? [];
  if (end !== 'passed' && (failing.length === 0 || failing.length === report?.testResults.length))
    throw new Error(`the tests of ${packageFolder} do not run without a mutation either (${end})`);
  for (const { name } of failing) {
    console.log(`left out, since it fails without a mutation: ${relative(folder, name)}`);
    rmSync(name);
  }
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
