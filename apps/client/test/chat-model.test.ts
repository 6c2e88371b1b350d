import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { desk, endpoint, uses } from './chat-desk.js';
import { useCli } from './cli.js';

const { run, served } = useCli();

const all = ['chat', '--approve', 'always'];
const cut = `data: ${JSON.stringify({ model: 'tiny', choices: [{ delta: { content: 'The first' } }] })}\n\n`;

it('waits when the endpoint asks for it, and says so', async () => {
  const { env, requests } = await endpoint(429, { content: 'Good.' });
  const { lines, code } = await run([...all, 'Hi'], { env });
  expect(lines).toContainEqual(expect.objectContaining({ type: 'wait', waitMs: 0 }));
  expect(lines.at(-1)).toEqual({ type: 'answer', text: 'Good.' });
  expect(requests).toHaveLength(2);
  expect(code).toBe(0);
});

it.each([
  ['breaks off in mid-stream', cut],
  ['answers nonsense twice', 'data: {"a":\n\n'],
])('a model that %s ends the question', async (_what, start) => {
  const { env } = await endpoint(start, start, start, start);
  const { lines, stderr, code } = await run([...all, 'Hi'], { env });
  expect(lines.at(-1)).toMatchObject({
    type: 'error',
    message: expect.stringMatching(/^the model failed: /),
  });
  // One line says that no server is given.
  expect(stderr.trim().split('\n')).toHaveLength(2);
  expect(code).toBe(4);
});

it('says that an answer is cut at the limit of the model', async () => {
  const end = { model: 'tiny', choices: [{ delta: { content: 'Half' }, finish_reason: 'length' }] };
  const { env } = await endpoint(`data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`);
  const { lines, code } = await run([...all, 'Hi'], { env });
  expect(lines.at(-1)).toEqual({ type: 'answer', text: 'Half', stopReason: 'maxTokens' });
  expect(code).toBe(0);
});

it('an empty answer is a failure of the model', async () => {
  const { env } = await endpoint({ content: '' });
  const { lines, code } = await run([...all, 'Hi'], { env });
  expect(lines.at(-1)).toMatchObject({
    type: 'error',
    message: expect.stringMatching(/returned an empty answer/),
  });
  expect(code).toBe(4);
});

it('an endpoint that is down is named', async () => {
  const env = { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', OPENAI_MODEL: 'tiny' };
  const { stderr, code } = await run([...all, 'Hi'], { env });
  expect(stderr).toMatch(/\nthe model failed: .*Check OPENAI_BASE_URL, and that the endpoint runs\n$/);
  expect(code).toBe(4);
});

it('a model that is slow ends the question, and says what to raise', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  const env = { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_MODEL: 'tiny' };
  const { lines, code } = await run([...all, '--model-timeout', '300', 'Hi'], { env });
  expect(lines.at(-1)).toMatchObject({
    type: 'error',
    message: expect.stringMatching(/^the model failed: .*\. Raise --model-timeout, or use a faster model$/),
  });
  expect(code).toBe(4);
});

it.each([
  ['--model-timeout', '0'],
  ['--max-steps', 'x'],
  ['--max-tokens', '-1'],
  ['--approve', 'maybe'],
])('%s %s is wrong usage', async (option, value) => {
  const { stderr, code } = await run(['chat', '--model', 'stand-in', `${option}=${value}`, 'Hi']);
  expect(stderr).toContain(`${option} ${JSON.stringify(value)} must be `);
  expect(code).toBe(2);
});

it('forms of servers are filled in by the person, and folders of --root are known to them', async () => {
  const { cwd } = await desk({ desk: await served() });
  const { env } = await endpoint(uses('desk__fill'), uses('desk__roots'), { content: 'Good.' });
  const args = ['chat', '--server', 'desk', '--approve', 'ask', '--root', cwd, 'Fill'];
  const { lines } = await run(args, { cwd, env, input: 'y\nf\nAda\nRed\n\n\ns\ny\n' });
  const results = lines.filter((line) => (line as { type: string }).type === 'tool_result');
  expect(results).toMatchObject([
    { content: [{ text: expect.stringContaining('"name":"Ada"') }] },
    { content: [{ text: expect.stringContaining(`file://${cwd}`) }] },
  ]);
  expect(lines.at(-1)).toEqual({ type: 'answer', text: 'Good.' });
});
