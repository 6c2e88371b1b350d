import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as jsonrpc from '../src/index.js';
import { installed, run } from './installed-package.js';

let folder = '';
beforeAll(async () => {
  folder = await installed();
});
afterAll(() => rm(folder, { recursive: true }));

it('row 18: never touches __proto__, also where that throws', async () => {
  const program = `
    import { decode, encode, messageKind } from '@rxmcp/jsonrpc';
    import { cloneJson, detectEra, invalidReason } from '@rxmcp/jsonrpc/internal';
    let guarded = false;
    try { ({}).__proto__; } catch { guarded = true; }
    const text = '{"jsonrpc":"2.0","id":1,"method":"m","params":{"__proto__":{"a":1},"constructor":1}}';
    const value = cloneJson(decode(text));
    console.log(guarded, messageKind(value), detectEra(value), invalidReason(JSON.parse('{"__proto__":1}')).message);
    console.log(encode(value) === text);`;
  const output = await run(folder, program, '--disable-proto=throw');
  expect(output).toBe('true request unknown "jsonrpc" must be "2.0", not missing\ntrue\n');
});

it('has each code and every export in the README', async () => {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');
  for (const code of ['PARSE_ERROR', 'INVALID_MESSAGE', 'TOO_LARGE', 'OVERFLOW', 'TRUNCATED']) {
    expect(readme).toContain(`| \`${code}\` `);
  }
  for (const name of Object.keys(jsonrpc)) expect(readme).toContain(name);
});
