import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalRegistry, startRegistry } from '../../../../scripts/local-registry.mjs';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { docs, pageNamed } from '../docs/page.js';
import { ranLines } from '../docs/shell.js';
import { repository } from '../repository.js';
import { copySetUp, follow, installedVersion, section } from './newcomer.js';
import { slips } from './slips.js';
import { steps } from './steps.js';

/** The guides of the first hour that are followed as they stand; docs/testing.md copies a folder. */
const guides = [
  'first-server.md',
  'first-client.md',
  'quickstart-server.md',
  'quickstart-client.md',
  'hosts.md',
  'over-http.md',
  'existing-app.md',
  'streams.md',
  'mcp-for-rxjs-users.md',
  'from-official-sdk.md',
  'from-fastmcp.md',
  'choosing-packages.md',
];
const link = '(first-server.md#set-up)';

const followed = ['Install', 'Hello', 'Over HTTP'].map((heading) =>
  section(readFileSync(join(repository, 'README.md'), 'utf8'), heading),
);

it.each([['README.md', followed.join('\n')], ...guides.map((name) => [name, pageNamed(name).text])])(
  '%s names the file of each block and the command of each output',
  (_name, text = '') => {
    expect(steps(text).length).toBeGreaterThan(1);
  },
);

it.each([
  ['Here it is:\n\n```js title="hello/server.mjs"\n1;\n```\n', 'does not name its file hello/server.mjs'],
  ['It prints\n\n```text title="hello/output"\n1\n```\n', 'has no command'],
])('a page that does not is reported', (text, message) => {
  expect(() => steps(text)).toThrow(message);
});

/**
 * A newcomer's first hour: from empty folders, with packages that npm installs from a registry, every page followed to the letter. npm
 * needs about a minute, so only exhaustive runs have it. Needs packed packages.
 */
if (exhaustive)
  describe('the first hour of a newcomer', { timeout: 300_000 }, () => {
    const root = join(tmpdir(), `rxmcp-newcomer-${randomUUID()}`);
    const setUp = join(root, 'set-up');
    let registry: LocalRegistry;

    beforeAll(async () => {
      mkdirSync(root);
      registry = await startRegistry(root);
      const options = [`--registry=${registry.url}`, '--no-provenance'];
      await done('node', [join(repository, 'scripts/publish.mjs'), ...options], repository);
      mkdirSync(setUp);
      await follow(section(pageNamed('first-server.md').text, 'Set up'), {
        folder: setUp,
        env: registry.env,
      });
    }, 300_000);
    afterAll(async () => {
      await registry.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    });

    async function done(program: string, args: readonly string[], cwd: string): Promise<string> {
      const child = spawn(program, args, { cwd, env: registry.env, stdio: ['ignore', 'pipe', 'pipe'] });
      let printed = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
      const [code] = (await once(child, 'close')) as [number | null];
      expect(code, `${program} ${args.join(' ')}\n${printed}`).toBe(0);
      return printed;
    }

    it('installs the versions of this checkout', () => {
      const { version } = JSON.parse(
        readFileSync(join(repository, 'packages/rxmcp/package.json'), 'utf8'),
      ) as {
        version: string;
      };
      expect(installedVersion(setUp, 'rxmcp')).toBe(version);
      expect(installedVersion(setUp, '@rxmcp/core')).toBe(version);
    });

    it('README.md: Install, Hello and Over HTTP', async () => {
      const folder = join(root, 'readme');
      mkdirSync(folder);
      const printed = await follow(followed.join('\n'), { folder, env: registry.env });
      expect(printed.map(({ stdout }) => stdout)).toEqual(printed.map(({ shown }) => shown));
      expect(printed).toHaveLength(2);
    });

    it.each(guides)('docs/%s', async (name) => {
      const { text, blocks } = pageNamed(name);
      const folder = join(root, basename(name, '.md'));
      const isFirst = name === 'first-server.md';
      if (!isFirst) expect(text).toContain(link);
      const installs = blocks.some(({ language, text }) => language === 'console' && text.includes('npm i '));
      copySetUp(setUp, folder, isFirst || !installs);
      const rest = isFirst ? text.slice(text.indexOf('\n## Write it')) : text;
      const printed = await follow(rest, { folder, env: registry.env });
      expect(printed.map(({ stdout }) => stdout)).toEqual(printed.map(({ shown }) => shown));
      const outputs = blocks.filter(({ says }) => says['title']?.endsWith('/output'));
      expect(printed).toHaveLength(outputs.length);
    });

    // A host has another working directory, and passes few variables.
    it.each(['hosts/claude_desktop_config.json', 'hosts/.vscode/mcp.json'])(
      'docs/hosts.md: %s starts the server as a host does',
      async (title) => {
        const project = join(root, 'hosts');
        const shown = pageNamed('hosts.md').blocks.find(({ says }) => says['title'] === title)?.text ?? '';
        const placed = shown.replace(
          /\/absolute\/path\/to|\$\{workspaceFolder\}/,
          project.replaceAll('\\', '/'),
        );
        const { mcpServers, servers } = JSON.parse(placed) as Record<string, object>;
        const config = join(root, 'host.json');
        writeFileSync(config, JSON.stringify({ mcpServers: mcpServers ?? servers }));
        const program = join(project, 'node_modules/.bin/rxmcp');
        expect(await done(program, ['call', 'distance', 'moon', '--config', config], root)).toContain(
          '238,855 miles',
        );
      },
    );

    it('docs/testing.md: the folder that it says to copy', async () => {
      const folder = join(root, 'testing');
      cpSync(join(docs, 'testing-a-server'), folder, { recursive: true });
      const commands = pageNamed('testing.md').blocks.filter(({ language }) => language === 'console');
      expect(commands).toHaveLength(1);
      const text = commands.map((block) => `\`\`\`console\n${block.text}\`\`\`\n`).join('\n');
      await follow(text, { folder, env: registry.env });
      expect(installedVersion(folder, '@rxmcp/testing')).toBe(installedVersion(setUp, 'rxmcp'));
    });

    describe('every slip of the tables', () => {
      const made = slips();
      const folder = join(root, 'slips');
      let compiled = '';

      beforeAll(async () => {
        copySetUp(setUp, folder, true);
        made.forEach(({ program }, at) => writeFileSync(join(folder, `slip-${at}.ts`), program));
        const place = { cwd: folder, env: registry.env, installed: true };
        compiled = (await ranLines('npx tsc --pretty false', place)).values().next().value?.stdout ?? '';
        const lines = made.map((_slip, at) => `import { row as row${at} } from './slip-${at}.js';`);
        const rows = made.map((_slip, at) => `row${at}`).join(', ');
        writeFileSync(join(folder, 'run.js'), `${lines.join('\n')}\nconst rows = [${rows}];\n${runRows}`);
      });

      it('has the message of its table in JavaScript', async () => {
        const told = JSON.parse(await done('node', ['run.js'], folder)) as Record<
          'title' | 'told' | 'said',
          string
        >[];
        expect(told.map(({ title, told }) => [title, told])).toEqual(
          told.map(({ title, said }) => [title, said]),
        );
        expect(told.length).toBe(made.length);
        expect(told.length).toBeGreaterThanOrEqual(25);
      });

      it('is an error of the compiler in TypeScript, unless only a value is wrong', () => {
        const errors = [...compiled.matchAll(/^slip-(\d+)\.ts\(.*?\): error (.*)$/gm)];
        const rejected = new Map(errors.map(([, at, error = '']) => [made[Number(at)]?.title, error]));
        expect(rejected.get('createServer({ tool })')).toContain("Did you mean to write 'tools'?");
        for (const title of onlyValues) expect(rejected.has(title), title).toBe(false);
        // What TypeScript lets through has a message when it runs, as every row above.
        expect(rejected.size).toBeGreaterThan(made.length / 2);
      });
    });
  });

/** Slips that TypeScript cannot see. */
const onlyValues = [
  "stdio({ command: 'node server.js' })",
  'new RpcError(-32050)',
  'a library without JSON Schema',
];

/** Makes the slips of `rows`, and prints what each is answered with, and what its table says. */
const runRows = `
const told = [];
for (const [title, slip, said] of rows)
  told.push({ title, said, told: await Promise.resolve().then(slip).then(() => 'no error', ({ message }) => message) });
console.log(JSON.stringify(told));
`;
