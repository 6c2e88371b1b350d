import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { esbuild } from '../../../../vitest.bundle.js';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { repository } from '../repository.js';
import { apiExamples } from './api-examples.js';
import { docs, pages, titled } from './page.js';
import { ranLines } from './shell.js';

const run = promisify(execFile);

// Inside the workspace, so that the examples find the built packages as a reader's would.
const root = mkdtempSync(join(repository, 'apps', 'e2e', '.readme-docs-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const folderOf = (page: string): string => join(root, basename(page, '.md'));
const quoted = (title: string): boolean => existsSync(join(docs, title));

// The examples of all pages and of the API at once: the compiler reads the types of the packages only once.
beforeAll(async () => {
  for (const { name, blocks } of pages()) {
    mkdirSync(folderOf(name));
    for (const [title, body] of titled(blocks)) {
      if (quoted(title)) continue;
      mkdirSync(dirname(join(folderOf(name), title)), { recursive: true });
      writeFileSync(join(folderOf(name), title), body);
    }
  }
  for (const [title, body] of apiExamples()) writeFileSync(join(root, title), body);
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    types: ['node'],
    strict: true,
    skipLibCheck: true,
  };
  writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const compiler = join(repository, 'apps', 'e2e', 'node_modules', 'typescript', 'bin', 'tsc');
  await run(process.execPath, [compiler, '-p', root, '--singleThreaded']).catch(
    (error: { stdout: string }) => {
      throw new Error(error.stdout);
    },
  );
  if (!exhaustive) await bundlePrograms();
});

/** Puts the packages that a program imports into its file, for a start in a third of the time. An exhaustive run loads each package. */
async function bundlePrograms(): Promise<void> {
  const programs = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.includes(sep) && path.endsWith('.js'))
    .map((path) => join(root, path));
  await esbuild.build({
    entryPoints: programs,
    outdir: root,
    outbase: root,
    allowOverwrite: true,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Libraries in CommonJS call `require` for modules of Node, which an ES module must define first.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    logLevel: 'error',
  });
}

/** The first block of each command of each program; `rxmcp` is that of the checkout. An exhaustive run has all blocks. */
const firsts = new Set(
  new Map(
    pages()
      .flatMap(({ blocks }) => blocks.filter(({ language }) => language === 'sh'))
      .reverse()
      .map(({ text }) => [
        /(?:npx rxmcp|node \S+) [\w-]+/.exec(text)?.[0].replace('node apps/client/dist/main.js', 'npx rxmcp'),
        text,
      ]),
  ).values(),
);

/** Every command and every block of code of a page does what the page says. Needs a build. */
describe.each(pages())('docs/$name', ({ name, text, blocks }) => {
  const folder = folderOf(name);
  const files = titled(blocks);

  // The lines of `console` blocks install packages and compile; first-hour/newcomer.test.ts runs them.
  it('has no block that is never run', () => {
    const loose = blocks.filter(
      ({ language, says }) => !['sh', 'console', 'mermaid'].includes(language) && says['title'] === undefined,
    );
    expect(loose.map(({ text }) => text)).toEqual([]);
  });

  const outputs = [...files.keys()].filter((title) => title.endsWith('/output'));
  it.each(outputs)('%s is what the example prints', async (title) => {
    const { stdout } = await run(process.execPath, ['main.js'], { cwd: join(folder, dirname(title)) });
    expect(stdout).toBe(files.get(title));
  });

  it('has an output for every example', () => {
    const mains = [...files.keys()].filter((title) => title.endsWith('/main.ts'));
    expect(mains.map((title) => dirname(title)).sort()).toEqual(
      outputs.map((title) => dirname(title)).sort(),
    );
  });

  it.each([...files].filter(([title]) => quoted(title)))(
    '%s is in the file as it is shown',
    (title, shown) => {
      expect(flush(readFileSync(join(docs, title), 'utf8'))).toContain(flush(shown));
    },
  );

  const commands = blocks.filter(
    (block) => block.language === 'sh' && (exhaustive || firsts.has(block.text)),
  );
  it.each(commands.map((block) => ({ block, lines: block.text.trim() })))('$lines', async ({ block }) => {
    const { exit = '0', says, within } = block.says;
    const cwd = within === undefined ? repository : join(folder, within);
    const ran = await ranLines(block.text, { cwd });
    expect(ran.size).toBeGreaterThan(0);
    for (const [line, { code, told }] of ran) expect(code, `${line}\n${told}`).toBe(Number(exit));
    if (says !== undefined) expect([...ran.values()].map(({ told }) => told).join('\n')).toContain(says);
  });

  it('links only to existing targets', () => {
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)#]*)(?:#[^)]*)?\)/g)) {
      expect(existsSync(join(docs, target)), `${name}: ${target}`).toBe(true);
    }
  });
});

it('the first page leads to every page', () => {
  const readme = readFileSync(join(repository, 'README.md'), 'utf8');
  for (const { name } of pages()) expect(readme).toContain(`(docs/${name})`);
});

/** Without the indentation, which a part of a file has and its block may not have. */
function flush(text: string): string {
  return text.replace(/^ +/gm, '');
}
