import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPage } from '../src/asked/page.js';
import { exhaustive } from '../../../vitest.exhaustive.js';
import { type Finished, useCli } from './cli.js';
import { tempFolder } from './temp-folder.js';

const { run, served } = useCli();

const textOf = ({ lines }: Finished): unknown =>
  JSON.parse((lines[0] as { content: [{ text: string }] }).content[0].text);
const url = 'https://example.com/sign-in?state=7&x=%20';

/** A browser that only writes down what it was to open. */
async function browser(): Promise<{ readonly env: { BROWSER: string }; opened(): Promise<string> }> {
  const folder = await tempFolder();
  const file = join(folder, 'opened');
  const script = join(folder, 'browser.mjs');
  const source = `#!${process.execPath}
import { appendFileSync } from 'node:fs';
appendFileSync(${JSON.stringify(file)}, JSON.stringify(process.argv.slice(2)));
`;
  await writeFile(script, source, { mode: 0o755 });
  return { env: { BROWSER: script }, opened: () => readFile(file, 'utf8').catch(() => '') };
}

const visiting =
  (protocol: string) =>
  async (input: string, env: Readonly<Record<string, string>>, to = url): Promise<Finished> =>
    run(
      [
        'call',
        'visit',
        JSON.stringify({ url: to }),
        '--approve',
        'ask',
        '--protocol',
        protocol,
        ...(await served()),
      ],
      { input, env },
    );

describe.each(['modern', '2025-11-25'])('a page with --protocol %s', (protocol) => {
  const visit = visiting(protocol);

  it('is shown completely, and opened when the user agrees', async () => {
    const { env, opened } = await browser();
    const done = await visit('o\n', env);
    expect(textOf(done)).toEqual({ action: 'accept' });
    expect(await opened()).toBe(JSON.stringify([url]));
    expect(done.stderr).toContain('The server "fixture" asks you to open a page:\n  | Please sign in.\n');
    expect(done.stderr).toContain(`host: example.com, full URL:\n${url}\n`);
    expect(done.stderr).not.toContain('! ');
  });
});

// What a person types is read before an era is known of.
describe.each(exhaustive ? ['modern', '2025-11-25'] : ['modern'])(
  'a page with --protocol %s in any era',
  (protocol) => {
    const visit = visiting(protocol);

    it.each([
      ['decline', 'd\n'],
      ['cancel', 'c\n'],
      ['cancel', ''],
    ])('is not opened on %s', async (action, input) => {
      const { env, opened } = await browser();
      expect(textOf(await visit(input, env))).toEqual({ action });
      expect(await opened()).toBe('');
    });

    it('comes with warnings where needed', async () => {
      const { env } = await browser();
      const done = await visit('d\n', env, 'http://еxample.com/');
      expect(done.stderr).toContain('host: xn--xample-2of.com');
      expect(done.stderr).toContain('! not https');
      expect(done.stderr).toContain('! its host is "xn--xample-2of.com"');
    });

    it('is shown to the user where it cannot be opened', async () => {
      const done = await visit('o\n', { BROWSER: '/nowhere/browser' });
      expect(textOf(done)).toEqual({ action: 'accept' });
      expect(done.stderr).toContain('open it yourself');
    });

    it('is declined without a user', async () => {
      const { env, opened } = await browser();
      const args = ['call', 'visit', JSON.stringify({ url }), '--protocol', protocol, ...(await served())];
      const done = await run(args, { input: 'o\n', env });
      expect(textOf(done)).toEqual({ action: 'decline' });
      expect(done.stderr).toContain('declined to open a page');
      expect(await opened()).toBe('');
    });
  },
);

it('reports when the server says that the user has finished there', async () => {
  const { env } = await browser();
  const args = ['call', 'visit', JSON.stringify({ url }), '--approve', 'ask', '--protocol', '2025-11-25'];
  const { stderr } = await run([...args, ...(await served())], { input: 'o\n', env });
  expect(stderr).toContain('The server "fixture" says that you are done there');
});

it('a url that is too long for the system to start a browser with is reported as not open', async () => {
  expect(await openPage(`https://example.com/?${'x'.repeat(200_000)}`, { BROWSER: 'true' })).toBe(false);
});

describe('a call that a server allows after a visit only', () => {
  const gated = async (input: string): Promise<readonly [Finished, string]> => {
    const { env, opened } = await browser();
    const args = ['call', 'gated', '--approve', 'ask', '--protocol', '2025-11-25', ...(await served())];
    const done = await run(args, { input, env });
    return [done, await opened()];
  };

  it('is made again when the user has visited the page', async () => {
    const [done, opened] = await gated('o\ng\n');
    expect(done.stdout).toContain('let in');
    expect(opened).toBe('["https://example.com/gate"]');
    expect(done.code).toBe(0);
  });

  it.each(['d\n', 'o\nl\n', 'o\n'])('fails where the user types %j', async (input) => {
    const [{ code, stdout, stderr }] = await gated(input);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain('-32042');
  });
});
