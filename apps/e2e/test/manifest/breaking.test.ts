import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript-api';
import { describe, expect, it } from 'vitest';
import { repository } from '../repository.js';
import { broken } from './breaking/mutation.js';
import { parted } from './citations.js';
import { clauses } from './clause.js';

describe('breaking a line', () => {
  it.each([
    ['if (a === b) stop();', 'a === b', 'if (a !== b) stop();'],
    ['const open = true;', 'open = true', 'const open = false;'],
    ["says('this');", "says('this')", "says('not-this');"],
    ['says(`{"id":${id}}`);', '"id":${id}', 'says(`{"not-id":${id}}`);'],
    ['wait(60_000);', 'wait(60_000)', 'wait(60001);'],
    ['const id = next++;', 'next++', 'const id = next;'],
    ['if (a >= b) stop();', 'a >= b', 'if (a < b) stop();'],
    ['fail(INTERNAL_ERROR, text);', 'fail(INTERNAL_ERROR', 'fail(INTERNAL_ERROR + 1, text);'],
    ['const until = now + limit;', 'now + limit', 'const until = now * limit;'],
    ['declare({ logging: {} });', '{ logging: {} }', 'declare({});'],
    ['name(`${stream}-${n}`);', '`${stream}-', 'name(`-${n}`);'],
    ['if (fits(a) && b) stop();', 'fits(a)', 'if (!(fits(a) && b)) stop();'],
    ['acknowledge(id);', 'acknowledge(id)', ''],
  ])('makes of %s at %s: %s', (line, fragment, after) => {
    const source = `first();\n  ${line}\nlast();`;
    expect(broken(source, fragment)).toEqual({
      source: `first();\n${after === '' ? '' : `  ${after}`}\nlast();`,
      before: line,
      after,
    });
  });

  it('removes no return, and nothing that is missing', () => {
    expect(() => broken('return all(of, it);', 'all(of')).toThrow('decides nothing');
    expect(() => broken('return it;', 'that')).toThrow('no line has');
  });

  it('leaves a source that compiles, for every guarded line', () => {
    const guards = new Set(clauses().flatMap(({ guards: one }) => one ?? []));
    expect(guards.size).toBeGreaterThan(100);
    for (const guard of guards) {
      const { path, rest } = parted(guard);
      const { source, before, after } = broken(readFileSync(join(repository, path), 'utf8'), rest);
      expect(after, guard).not.toBe(before);
      expect(wrongSyntax(source), guard).toEqual([]);
    }
    expect(wrongSyntax('const a = ;')).not.toEqual([]);
  });
});

/** What keeps a TypeScript source from being compiled, its types aside. */
function wrongSyntax(source: string): unknown[] {
  const file = ts.createSourceFile('broken.ts', source, ts.ScriptTarget.Latest) as object;
  const { parseDiagnostics } = file as { readonly parseDiagnostics: readonly ts.Diagnostic[] };
  return parseDiagnostics.map(({ messageText }) => messageText);
}
