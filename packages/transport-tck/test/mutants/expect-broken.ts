import { afterEach, expect, test } from 'vitest';
import { LawBroken, type Serve, verifyTransport } from '../../src/index.js';
import { laws } from '../../src/laws/index.js';
import { type Broken, leaked } from './mutant.js';

/** One test per mutant: it breaks the law it is named for, with that law's message, and no law of another group. */
export function expectBroken<M extends Broken & { readonly change: unknown }>(
  mutants: readonly M[],
  serve: (mutant: M) => Serve,
): void {
  afterEach(() => {
    for (const timer of leaked.splice(0)) clearInterval(timer);
  });
  for (const mutant of mutants) {
    test(`${mutant.law} is broken by a pipe that ${mutant.name}`, { timeout: 30_000 }, async () => {
      expect(String(mutant.change).split('\n').length, 'lines of the change').toBeLessThanOrEqual(10);
      const broken = await brokenBy(serve(mutant));
      const message = broken.get(mutant.law) ?? `not broken; broken are: ${[...broken.keys()].join(', ')}`;
      expect(message).toContain(sentence(mutant.law));
      expect(message).toContain(mutant.because);
      expect(message).toMatch(/last frames:\n {4}|no frame was seen/);
      const strangers = [...broken.keys()].filter((id) => group(id) !== group(mutant.law));
      expect(strangers.sort(), 'laws of other groups').toEqual([...(mutant.also ?? [])].sort());
    });
  }
}

/** The laws that break, each with its message. */
async function brokenBy(serve: Serve): Promise<Map<string, string>> {
  const runs: (() => Promise<void>)[] = [];
  verifyTransport({
    test: (_name, run) => runs.push(run),
    serve,
    options: { waitMs: 500, closeMs: 500, report: () => undefined },
  });
  const broken = new Map<string, string>();
  for (const run of runs) {
    await run().catch((error: unknown) => {
      if (!(error instanceof LawBroken)) throw error;
      broken.set(error.law, error.message);
    });
  }
  return broken;
}

function sentence(id: string): string {
  return `${id}: ${laws.find((law) => law.id === id)?.says ?? 'no such law'}`;
}

export function group(id: string): string {
  return id.slice(0, id.indexOf('/'));
}
