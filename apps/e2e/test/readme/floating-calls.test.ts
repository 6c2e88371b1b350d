import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { repository } from '../repository.js';

/** What these tests use of ESLint. */
interface Linter {
  lintFiles(path: string): Promise<readonly { readonly messages: readonly Message[] }[]>;
}
interface Message {
  readonly line: number;
  readonly ruleId: string | null;
}

// The linter of the workspace, with the TypeScript that it was installed with.
const workspace = createRequire(join(repository, 'package.json'));
const { ESLint } = workspace('eslint') as { ESLint: new (options: object) => Linter };
const { parser, plugin } = workspace('typescript-eslint') as { parser: object; plugin: object };

const folder = mkdtempSync(join(repository, 'apps', 'e2e', '.readme-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the findings of the rule that the README names, with their lines. Needs a build. */
async function findings(lines: readonly string[]): Promise<readonly Message[]> {
  const compilerOptions = { target: 'es2022', module: 'nodenext', strict: true, types: ['node'] };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  writeFileSync(join(folder, 'calls.ts'), lines.join('\n'));
  const linter = new ESLint({
    cwd: folder,
    overrideConfigFile: true,
    ignore: false,
    overrideConfig: {
      files: ['**/*.ts'],
      languageOptions: { parser, parserOptions: { project: 'tsconfig.json', tsconfigRootDir: folder } },
      plugins: { '@typescript-eslint': plugin },
      rules: { '@typescript-eslint/no-floating-promises': ['error', { checkThenables: true }] },
    },
  });
  const [result] = await linter.lintFiles('calls.ts');
  return result?.messages.map(({ line, ruleId }) => ({ line, ruleId })) ?? [];
}

const rule = '@typescript-eslint/no-floating-promises';

it('no-floating-promises with checkThenables finds each call that is never sent', async () => {
  const found = await findings([
    `import { connect, tools } from 'rxmcp';`,
    `const remote = await connect('http://127.0.0.1:3000/mcp');`,
    `remote.tools.call('x');`,
    `remote.tools.events('x');`,
    `remote.resources.read('text://x');`,
    `remote.prompts.get('x');`,
    `tools(remote).list();`,
    `remote.request('x');`,
    `await remote.tools.call('x');`,
    `remote.tools.call('x').subscribe();`,
    `remote.tools.call('x').catch(() => undefined);`,
    `const call = remote.tools.call('x');`,
    `await call;`,
    `await Promise.all([remote.tools.call('x'), remote.tools.list()]);`,
  ]);
  expect(found).toEqual([3, 4, 5, 6, 7, 8].map((line) => ({ line, ruleId: rule })));
});
