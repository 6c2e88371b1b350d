import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Row } from '../settings.js';
import { programs } from './programs.js';

const compiler = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin',
  'tsc',
);
// In the folder of the bench, whose packages the programs import.
const folder = fileURLToPath(new URL('./types/', import.meta.url));
const config = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
  },
  files: ['main.ts'],
};

/** Type-checks a program with a hundred tools and a hundred calls, on one thread. */
export function measureTypes(contestant: keyof typeof programs, round: number): Row {
  const project = join(folder, contestant);
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(project, 'main.ts'), programs[contestant]);
  const args = [compiler, '-p', project, '--extendedDiagnostics', '--singleThreaded'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`the program of ${contestant} has errors: ${(stdout + stderr).slice(0, 1_000)}`);
  const seconds = figureIn(stdout, 'Check time');
  return {
    transport: 'types',
    era: 'legacy',
    tools: 100,
    inFlight: 1,
    phase: 'check time',
    heat: 'cold',
    contestant,
    round,
    calls: figureIn(stdout, 'Instantiations'),
    cpuMicros: seconds * 1_000_000,
    callsPerSecond: Number.NaN,
    p50Micros: figureIn(stdout, 'Total time') * 1_000_000,
    p99Micros: Number.NaN,
  };
}

function figureIn(diagnostics: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(diagnostics)?.[1]);
}
