import { expect, it, onTestFinished } from 'vitest';
import { serveStandIn, type StandInOptions } from '../src/stand-in/fake-chat-endpoint.js';
import { useCli } from './cli.js';

const { run, runApart, served } = useCli();

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
  const { code, stdout } = await run(['call', 'ask', '--approve', 'always', ...(await served())], { env });
  expect(stdout).toContain('stand-in for tiny: 2 messages, the last: The first sentence.');
  expect(code).toBe(0);
});

it.each(['modern', '2025-11-25'])(
  'lets the endpoint use the tools of a server, with --protocol %s',
  async (protocol) => {
    const env = { OPENAI_BASE_URL: await standIn(), OPENAI_MODEL: 'tiny' };
    const args = ['call', 'research', '--approve', 'ask', '--protocol', protocol, ...(await served())];
    const { code, stdout, stderr } = await run(args, { env, input: 'a\na\na\na\n' });
    expect(stdout).toContain('3 messages, the last: 42 of them');
    expect(stderr).toContain('tool: count\n  | Counts them.\n');
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
  const { code, stdout, stderr } = await run(['call', 'ask', '--approve', 'always', ...(await served())], {
    env,
  });
  expect(code).toBe(1);
  expect(stderr).toContain('401');
  expect(stdout + stderr).not.toContain('wr0ng');
});

it('ends with 2 where the key would be sent unencrypted to another machine', async () => {
  const env = { OPENAI_BASE_URL: 'http://models.example.com/v1', OPENAI_MODEL: 'tiny' };
  const { code, stderr } = await run(['tools', ...(await served())], {
    env: { ...env, OPENAI_API_KEY: 's3cret' },
  });
  expect(code).toBe(2);
  expect(stderr).toContain('OPENAI_API_KEY would go to models.example.com unencrypted');
  expect(stderr).not.toContain('s3cret');
  expect((await run(['tools', ...(await served())], { env })).code).toBe(0);
});

it.each([
  ['OPENAI_MODEL', { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }],
  ['OPENAI_BASE_URL', { OPENAI_BASE_URL: 'nonsense', OPENAI_MODEL: 'tiny' }],
])('ends with 2 where %s is missing or wrong', async (named, env) => {
  const { code, stderr } = await run(['tools', ...(await served())], { env });
  expect(code).toBe(2);
  expect(stderr).toContain(named);
});

it.each(['abc', '70000', '-1', '1.5', ''])('the stand-in ends with 2 for the port %j', async (port) => {
  const { code, stderr } = await runApart([port], { program: 'stand-in' });
  expect(stderr).toBe(`${JSON.stringify(port)} is no port: stand-in.js [PORT]\n`);
  expect(code).toBe(2);
});

it('the stand-in ends with 1 where its port is taken', async () => {
  const { port } = new URL(await standIn());
  const { code, stderr } = await runApart([port], { program: 'stand-in' });
  expect(stderr).toMatch(/^it cannot listen: .*EADDRINUSE.*\n$/);
  expect(code).toBe(1);
});
