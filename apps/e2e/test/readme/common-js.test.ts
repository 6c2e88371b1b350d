import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { repository } from '../repository.js';

const run = promisify(execFile);
const readme = readFileSync(join(repository, 'packages/rxmcp/README.md'), 'utf8');
const section = /^## CommonJS and Jest\n([\s\S]*?)^## /m.exec(readme)?.[1] ?? '';

/** What the README of rxmcp says about CommonJS, without Jest. Needs a build. */
describe('CommonJS', () => {
  // Inside the workspace, so that the files find the built packages as a reader's would.
  const folder = mkdtempSync(join(repository, 'apps', 'e2e', '.readme-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('requires the package and has the same classes', async () => {
    expect(section).toContain("`require('rxmcp')`");
    writeFileSync(join(folder, 'required.cjs'), required);
    expect((await run(process.execPath, ['required.cjs'], { cwd: folder })).stdout).toBe('function true\n');
  });

  const modules = [...section.matchAll(/`(?:"module": )?"(\w+)"`/g)].map(([, module]) => module as string);
  // The compiler takes a second for each.
  it.each(exhaustive ? modules : modules.slice(0, 1))(
    'compiles with "module": "%s" and runs',
    async (module) => {
      const own = join(folder, module);
      mkdirSync(own);
      const compilerOptions = { module, target: 'es2023', strict: true, skipLibCheck: true, types: ['node'] };
      writeFileSync(join(own, 'package.json'), JSON.stringify({ type: 'commonjs' }));
      writeFileSync(join(own, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
      writeFileSync(join(own, 'compiled.ts'), compiled);
      const compiler = join(repository, 'apps/e2e/node_modules/typescript/bin/tsc');
      await run(process.execPath, [compiler, '-p', own]).catch((error: { stdout: string }) => {
        throw new Error(error.stdout);
      });
      expect(readFileSync(join(own, 'compiled.js'), 'utf8')).toContain('require("rxmcp")');
      expect((await run(process.execPath, ['compiled.js'], { cwd: own })).stdout).toBe('function true\n');
    },
  );

  it('names only modules that every TypeScript since 5.9 compiles', () => {
    expect(modules).toEqual(expect.arrayContaining(['node20', 'nodenext']));
  });
});

const required = `
const { defineServer, RxmcpError } = require('rxmcp');
import('rxmcp').then((imported) => console.log(typeof defineServer, RxmcpError === imported.RxmcpError));
`;

const compiled = `
import { defineServer, RxmcpError } from 'rxmcp';
void import('rxmcp').then((imported) => console.log(typeof defineServer, RxmcpError === imported.RxmcpError));
`;
