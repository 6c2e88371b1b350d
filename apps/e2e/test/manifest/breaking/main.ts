/* Breaks the guarded lines of entries in a copy of the tree and tells whether their tests notice; see ../README.md. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parted } from '../citations.js';
import type { Clause } from '../clause.js';
import { clauses } from '../clause.js';
import { copied } from './copy.js';
import { broken } from './mutation.js';
import { run, testsOf } from './run-tests.js';

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
const folder = copied();
let red = 0;
try {
  const sound = await soundTests();
  for (const clause of chosen) if (await goesRed(clause, sound)) red += 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${red} of ${chosen.length} went red`);

/** The titles of all tests that pass before anything is broken. */
async function soundTests(): Promise<string[]> {
  const byProject = new Map<string, Set<string>>();
  for (const { project, files } of chosen.flatMap(({ id }) => testsById.get(id) ?? [])) {
    byProject.set(project, new Set([...(byProject.get(project) ?? []), ...files]));
  }
  const titles: string[] = [];
  for (const [project, files] of byProject) {
    titles.push(...(await run(folder, { project, files: [...files], pattern: '' })).passed);
  }
  return titles;
}

function choice(): Clause[] {
  if (values.all) return guarded;
  if (values.id !== undefined) return guarded.filter(({ id }) => values.id?.includes(id));
  const random = numbers(Number(values.seed));
  const order = guarded.map((clause) => [random(), clause] as const).sort(([a], [b]) => a - b);
  return order.slice(0, Number(values.count)).map(([, clause]) => clause);
}

async function goesRed(clause: Clause, sound: readonly string[]): Promise<boolean> {
  const { path, rest } = parted(clause.guards as string);
  const file = join(folder, path);
  const whole = readFileSync(file, 'utf8');
  const { source, before, after } = broken(whole, rest);
  const change = `${clause.id}: ${path}: ${before} -> ${after === '' ? '(gone)' : after}`;
  const tests = testsById.get(clause.id) ?? [];
  if (tests.some(({ pattern }) => !sound.some((title) => new RegExp(pattern).test(title)))) {
    console.log(`?    ${change}: a test of it is not green before anything is broken`);
    return false;
  }
  writeFileSync(file, source);
  let failed = false;
  for (const some of tests) failed ||= (await run(folder, some)).failed;
  writeFileSync(file, whole);
  console.log(`${failed ? 'red ' : '    '} ${change}`);
  return failed;
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
