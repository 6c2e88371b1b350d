import packageJson from 'rxmcp/package.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { exhaustive } from '../../../vitest.exhaustive.js';
import { useCli } from './cli.js';

const { run, runApart, served, server } = useCli();

describe.each(['modern', 'legacy'])('with --protocol %s', (protocol) => {
  const to = async (): Promise<readonly string[]> => ['--protocol', protocol, ...(await served())];

  it('info shows the server', async () => {
    const { code, lines } = await run(['info', ...(await to())]);
    const revision = protocol === 'modern' ? '2026-07-28' : '2025-11-25';
    expect(lines).toMatchObject([
      {
        server: { name: 'fixture' },
        protocol: revision,
        instructions: 'for tests',
        capabilities: { tools: {} },
      },
    ]);
    expect(code).toBe(0);
  });

  it('sends its name, with the version of rxmcp', async () => {
    const { lines } = await run(['call', 'who', ...(await to())]);
    const [{ content }] = lines as [{ content: [{ text: string }] }];
    expect(JSON.parse(content[0].text)).toMatchObject({ name: 'rxmcp', version: packageJson.version });
  });

  it('call shows progress and logs on standard error', async () => {
    const { code, stderr, lines } = await run(['call', 'steps', ...(await to())]);
    expect(lines).toMatchObject([{ content: [{ text: 'done' }] }]);
    expect(stderr).toContain('progress: 1 of 2');
    expect(stderr).toContain('log warning: careful\\u001b[2J');
    expect(code).toBe(0);
  });
});

// The commands do not know the era: core has its tests.
describe.each(exhaustive ? ['modern', 'legacy'] : ['modern'])('with --protocol %s in any era', (protocol) => {
  const to = async (): Promise<readonly string[]> => ['--protocol', protocol, ...(await served())];

  it.each([
    [
      'tools',
      'name',
      [
        'echo',
        'fail',
        'nasty',
        'steps',
        'hold',
        'ask',
        'fill',
        'order',
        'visit',
        'gated',
        'research',
        'forge',
        'roots',
        'env',
        'who',
        'huge',
        'rage',
        'chatter',
        'vanish',
        'informed',
        'typed',
        'open',
        'freely',
        'show',
      ],
    ],
    ['resources', 'uri', ['test://static', 'test://clock']],
    ['templates', 'uriTemplate', ['test://things/{id}']],
    ['prompts', 'name', ['greet', 'debate']],
  ])('%s prints one line per entry', async (command, member, wanted) => {
    const { code, lines } = await run([command, ...(await to())]);
    expect(lines.map((line) => (line as Record<string, unknown>)[member])).toEqual(wanted);
    expect(code).toBe(0);
  });

  it('call prints the result', async () => {
    const { code, lines } = await run(['call', 'echo', '{"a":[1,"ü"]}', ...(await to())]);
    expect(lines).toMatchObject([{ content: [{ type: 'text', text: '{"a":[1,"ü"]}' }] }]);
    expect(code).toBe(0);
  });

  it('call without ARGS sends an empty object', async () => {
    const { lines } = await run(['call', 'echo', ...(await to())]);
    expect(lines).toMatchObject([{ content: [{ text: '{}' }] }]);
  });

  it('read prints the contents, of a template as well', async () => {
    const { code, lines } = await run(['read', 'test://things/7', ...(await to())]);
    expect(lines).toMatchObject([{ contents: [{ uri: 'test://things/7', text: 'thing 7' }] }]);
    expect(code).toBe(0);
  });

  it('prompt fills in a prompt', async () => {
    const { code, lines } = await run(['prompt', 'greet', '{"who":"Ada"}', ...(await to())]);
    expect(lines).toMatchObject([{ messages: [{ role: 'user', content: { text: 'Greet Ada.' } }] }]);
    expect(code).toBe(0);
  });

  it('complete suggests values for the last argument', async () => {
    const { code, lines } = await run(['complete', 'greet', '{"who":"A"}', ...(await to())]);
    expect(lines).toMatchObject([{ completion: { values: ['Ada', 'Alan'] } }]);
    expect(code).toBe(0);
  });

  it('complete sends the arguments before it as context, also of a template', async () => {
    const args = ['complete', 'test://things/{id}', '{"kind":"good","id":"7"}'];
    const { code, lines } = await run([...args, ...(await to())]);
    expect(lines).toMatchObject([{ completion: { values: ['7 of good kind'] } }]);
    expect(code).toBe(0);
  });

  it('text of a server does not steer the terminal', async () => {
    const { stdout, stderr, lines } = await run(['call', 'nasty', '--protocol', protocol, ...server()]);
    expect(lines).toMatchObject([{ content: [{ text: 'a\u001b[31m\u009b\u202eb\nc' }] }]);
    expect(stderr).toContain('server: fixture \\u001b[1mready');
    // eslint-disable-next-line no-control-regex
    expect(stdout + stderr).not.toMatch(/[\u001b\u009b\u202e]/);
  });

  it('a huge result is complete on standard output, on one line', async () => {
    const { code, stdout, lines } = await runApart(['call', 'huge', ...(await to())]);
    expect(lines).toMatchObject([{ content: [{ text: 'h'.repeat(3_000_000) }] }]);
    expect(stdout.indexOf('\n')).toBe(stdout.length - 1);
    expect(code).toBe(0);
  });

  it('a huge error is one bounded line', async () => {
    const { code, stdout, stderr } = await run(['call', 'rage', ...(await to())]);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    bounded(stderr, 2);
    expect(stderr).toMatch(/^the server answered error -31000: \\u001b\[2J/m);
  });

  it('shows other messages of a server as one bounded line each', async () => {
    const { code, stderr, lines } = await run(['call', 'chatter', '--protocol', protocol, ...server()]);
    expect(code).toBe(0);
    expect(lines).toMatchObject([{ content: [{ text: 'done' }] }]);
    bounded(stderr, 40);
    expect(stderr).toMatch(/^progress: 1 of 2, \\u001b/m);
    expect(stderr).toMatch(/^log error: \\u001b/m);
    expect(stderr).toMatch(/^server: \\u001b/m);
  });
});

/** At most so many lines, each of at most 2,048 characters, and nothing in them that steers or forges. */
function bounded(stderr: string, atMost: number): void {
  const lines = stderr.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(atMost);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(2_048);
  // eslint-disable-next-line no-control-regex
  expect(lines.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u202e]/);
}
