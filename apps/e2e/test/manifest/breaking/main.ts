/* Breaks the guarded lines of entries in a copy of the tree and prints whether their tests notice; see ../README.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyOfTree } from '../../mutation/copy.js';
import { shuffled } from '../../mutation/seeded-random.js';
import { parted } from '../citations.js';
import type { Clause } from '../clause.js';
import { clauses } from '../clause.js';
import { broken } from './mutation.js';
import type { Tests, Verdict } from './run-tests.js';
import { run, testsOf, together } from './run-tests.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '40' },
    id: { type: 'string', multiple: true },
    all: { type: 'boolean', default: false },
  },
});

// Looked up once: what is tested is the copy, whatever happens to the tree meanwhile.
const testsById = new Map(clauses().map((clause) => [clause.id, testsOf(clause)]));
const guarded = clauses().filter(({ id, guards }) => guards !== undefined && testsById.get(id)?.length !== 0);
const chosen = choice();
console.log(`${chosen.length} of ${guarded.length} guarded entries, seed ${values.seed}`);
const folder = copyOfTree();
const sound = await soundTests();
let red = 0;
for (const guard of new Set(chosen.map(({ guards }) => guards as string))) {
  red += await redOnes(
    guard,
    chosen.filter(({ guards }) => guards === guard),
    sound,
  );
}
console.log(`${red} of ${chosen.length} went red`);

/** The titles of all tests that pass before anything is broken. */
async function soundTests(): Promise<string[]> {
  const titles: string[] = [];
  for (const some of together(chosen.flatMap(shown))) titles.push(...(await run(folder, some)).passed);
  return titles;
}

function choice(): Clause[] {
  if (values.all) return guarded;
  if (values.id !== undefined) return guarded.filter(({ id }) => values.id?.includes(id));
  return shuffled(guarded, Number(values.seed)).slice(0, Number(values.count));
}

/** Breaks one line for all entries that name it; how many of them have a test that notices. */
async function redOnes(guard: string, entries: readonly Clause[], sound: readonly string[]): Promise<number> {
  const { path, rest } = parted(guard);
  const file = join(folder, path);
  const whole = readFileSync(file, 'utf8');
  const { source, before, after } = broken(whole, rest);
  writeFileSync(file, source);
  const verdicts: Verdict[] = [];
  for (const some of together(entries.flatMap(shown))) verdicts.push(await run(folder, some));
  writeFileSync(file, whole);
  const change = `${path}: ${before} -> ${after === '' ? '(removed)' : after}`;
  let count = 0;
  for (const clause of entries) {
    const word = wordOf(clause, verdicts, sound);
    if (word === 'red') count += 1;
    console.log(`${word.padEnd(10)} ${clause.id}: ${change}`);
  }
  return count;
}

/** How an entry took it; `unsound` where a test of it fails before anything is broken. */
function wordOf(clause: Clause, verdicts: readonly Verdict[], sound: readonly string[]): string {
  const its = shown(clause).map(({ pattern }) => new RegExp(pattern));
  if (its.some((pattern) => !sound.some((title) => pattern.test(title)))) return 'unsound';
  if (verdicts.some(({ hung }) => hung)) return 'red';
  if (verdicts.every(({ unloadable }) => unloadable)) return 'unloadable';
  const failed = verdicts.flatMap((verdict) => verdict.failed);
  return failed.some((title) => its.some((pattern) => pattern.test(title))) ? 'red' : 'green';
}

function shown({ id }: Clause): readonly Tests[] {
  return testsById.get(id) ?? [];
}
