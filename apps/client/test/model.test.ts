import { expect, it, onTestFinished } from 'vitest';
import { serveStandIn, type StandInOptions } from '../src/stand-in/chat-stand-in.js';
import { useCli } from './cli.js';

const { run, server } = useCli();

async function standIn(options?: StandInOptions): Promise<string> {
  const { url, close } = await serveStandIn(options);
  onTestFinished(close);
  return url;
}

it('asks the chat endpoint of the environment', async () => {
  const env = {
    OPENAI_BASE_URL: await standIn({ apiKey: 'secret' }),
    OPENAI_API_KEY: 'secret',
    OPENAI_MODEL: 'tiny',
  };
  const { code, stdout } = await run(['call', 'ask', '--approve', 'always', ...server()], { env });
  expect(stdout).toContain('stand-in for tiny: 2 messages, the last: The first sentence.');
  expect(code).toBe(0);
});

it.each(['modern', '2025-11-25'])(
  'lets the endpoint use the tools of a server, with --protocol %s',
  async (protocol) => {
    const env = { OPENAI_BASE_URL: await standIn(), OPENAI_MODEL: 'tiny' };
    const args = ['call', 'research', '--approve', 'ask', '--protocol', protocol, ...server()];
    const { code, stdout, stderr } = await run(args, { env, input: 'a\na\na\na\n' });
    expect(stdout).toContain('3 messages, the last: 42 of them');
    expect(stderr).toContain('tool: count Counts them.');
    expect(stderr).toContain('"type":"tool_use"');
    expect(code).toBe(0);
  },
);

it('ends with 1 where the endpoint refuses, and does not show the key', async () => {
  const env = {
    OPENAI_BASE_URL: await standIn({ apiKey: 'right' }),
    OPENAI_API_KEY: 'wr0ng',
    OPENAI_MODEL: 'tiny',
  };
  const { code, stdout, stderr } = await run(['call', 'ask', '--approve', 'always', ...server()], { env });
  expect(code).toBe(1);
  expect(stderr).toContain('401');
  expect(stdout + stderr).not.toContain('wr0ng');
});

it.each([
  ['OPENAI_MODEL', { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }],
  ['OPENAI_BASE_URL', { OPENAI_BASE_URL: 'nonsense', OPENAI_MODEL: 'tiny' }],
])('ends with 2 where %s is missing or wrong', async (named, env) => {
  const { code, stderr } = await run(['tools', ...server()], { env });
  expect(code).toBe(2);
  expect(stderr).toContain(named);
});
