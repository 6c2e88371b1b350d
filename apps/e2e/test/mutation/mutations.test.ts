import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeMutation, mutate, mutationsOf } from './mutations.js';
import { seededRandom, shuffled } from './seeded-random.js';
import { typeCheck } from './type-check.js';

const texts = (source: string): string[] => mutationsOf(source).map((mutation) => mutate(source, mutation));

describe('mutations of a source', () => {
  it.each([
    ['x(a === b);', 'x(a !== b);'],
    ['x(a !== b);', 'x(a === b);'],
    ['x(a < b);', 'x(a >= b);'],
    ['x(a >= b);', 'x(a < b);'],
    ['x(a > b);', 'x(a <= b);'],
    ['x(a <= b);', 'x(a > b);'],
    ['x(a && b);', 'x(a || b);'],
    ['x(a || b);', 'x(a && b);'],
    ['if (a) b;', 'if (!(a)) b;'],
    ['if (!a) b;', 'if (a) b;'],
    ['while (a.b()) c;', 'while (!(a.b())) c;'],
    ['c = a ? b : d;', 'c = !(a) ? b : d;'],
    ['const limit = 64;', 'const limit = 65;'],
    ["x('tools/list');", "x('');"],
    ['x([a, b]);', 'x([]);'],
    ['x(true);', 'x(false);'],
    ['x(false);', 'x(true);'],
    ['function f() { a = b; c(); }', 'function f() { return; a = b; c(); }'],
  ])('make of %s: %s', (source, after) => {
    expect(texts(source)).toContain(after);
  });

  it.each([['stop(a);'], ['await stop(a);'], ['void stop(a);']])('drop the call %s', (source) => {
    expect(texts(`if (a) ${source}`)).toContain('if (a) ;');
  });

  it.each([
    ["import { a } from 'b';"],
    ["export { a } from 'b';"],
    ["type A = 'a' | 1 | true;"],
    ["interface A { b: 'c'; }"],
    ["const a = b as 'c';"],
    ["x = { 'a-b': c };"],
    ["x = 'a text for people';"],
    ["const x = Symbol('description');"],
    ['// a === b'],
    ['const limit = 1_024;'],
    ["x = '';"],
    ['x = [];'],
    ['class A extends B { constructor() { super(); } }'],
    ['while (true) a = b;'],
    ['function f() { return; }'],
  ])('leave %s as it is', (source) => {
    expect(texts(source).filter((text) => !text.includes('while (false)'))).toEqual([]);
  });

  it('are described by their line, before and after', () => {
    const source = 'first();\n  if (a === b) stop();\nlast();';
    const mutation = mutationsOf(source).find(({ text }) => text === '!==');
    expect(mutation && describeMutation(source, mutation)).toEqual({
      line: 2,
      before: 'if (a === b) stop();',
      after: 'if (a !== b) stop();',
    });
  });

  it('are checked for their types', () => {
    // Not the workspace: the types of the whole platform take seconds.
    const folder = mkdtempSync(join(tmpdir(), 'rxmcp-mutations-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const compilerOptions = { strict: true, lib: ['es5'], types: [] };
    writeFileSync(join(folder, 'tsconfig.base.json'), JSON.stringify({ compilerOptions }));
    const file = 'src/made-up.ts';
    const source = 'export function twice(a: number): number { return a * 2; }\n';
    const check = typeCheck(folder, new Map([[file, source]]));
    expect(check(file, source)).toBe(true);
    expect(check(file, source.replace('return', 'return; return'))).toBe(false);
    expect(check(file, source.replace('2', '3'))).toBe(true);
    expect(check(file, source.replace('a * 2', "'a'"))).toBe(false);
  });
});

describe('a seed', () => {
  it('decides the numbers and the order', () => {
    const items = Array.from({ length: 100 }, (_, at) => at);
    expect(shuffled(items, 7)).toEqual(shuffled(items, 7));
    expect(shuffled(items, 7)).not.toEqual(shuffled(items, 8));
    expect([...shuffled(items, 7)].sort((a, b) => a - b)).toEqual(items);
    expect(seededRandom(1)()).not.toBe(seededRandom(2)());
  });
});
