import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bundled } from '../../../vitest.bundle.js';
import { desk, endpoint, uses } from './chat-desk.js';
import { useCli } from './cli.js';
import { tempFolder } from './temp-folder.js';
import { urlServer } from './url-server.js';

const { run, start, served, server } = useCli();

const fixture = async (): Promise<{ cwd: string }> => desk({ desk: await served() });
const all = ['--server', 'desk', '--approve', 'always'];

it('calls the tool that the model uses, and prints each event, the answer last', async () => {
  const { cwd } = await fixture();
  const { env } = await endpoint(uses('desk__steps'), { content: 'It is done.' });
  const { code, lines } = await run(['chat', ...all, 'Do the steps'], { cwd, env });
  expect(lines).toMatchObject([
    { type: 'question', text: 'Do the steps' },
    { type: 'step', step: 1, model: 'tiny', inputTokens: 10, outputTokens: 5 },
    { type: 'tool_call', id: 'one', server: 'desk', tool: 'steps', arguments: {} },
    { type: 'approval', approved: true, by: 'option' },
    { type: 'progress', progress: 1, total: 2 },
    { type: 'log', level: 'warning' },
    { type: 'tool_result', isError: false },
    { type: 'text', text: 'It is done.' },
    { type: 'step', step: 2 },
    { type: 'usage', steps: 2, inputTokens: 20, outputTokens: 10, cost: 1 },
    { type: 'answer' },
  ]);
  expect(lines.at(-1)).toEqual({ type: 'answer', text: 'It is done.' });
  expect(code).toBe(0);
});

it('gives failures, unknown tools and invalid arguments back to the model', async () => {
  const { cwd } = await fixture();
  const answers = [uses('desk__fail'), uses('nothing'), uses('desk__echo', '{"a":'), { content: 'Sorry.' }];
  const { code, lines } = await run(['chat', ...all, 'Try'], { cwd, env: (await endpoint(...answers)).env });
  const results = lines.filter((line) => (line as { type: string }).type === 'tool_result');
  expect(results).toMatchObject([
    { isError: true, content: [{ text: 'it failed' }] },
    { isError: true, content: [{ text: expect.stringMatching(/^There is no tool "nothing"/) }] },
  ]);
  expect(lines.at(-1)).toEqual({ type: 'answer', text: 'Sorry.' });
  expect(code).toBe(0);
});

it('never calls a tool without approval', async () => {
  const { cwd } = await fixture();
  const { env, requests } = await endpoint(uses('desk__echo'), uses('desk__echo'), {
    content: 'Not allowed.',
  });
  const { lines, stderr } = await run(['chat', '--server', 'desk', 'Echo'], { cwd, env });
  expect(lines).toContainEqual({ type: 'approval', id: 'one', approved: false, by: 'default' });
  expect(lines.at(-1)).toEqual({ type: 'answer', text: 'Not allowed.' });
  expect(requests.at(-1)).toContain('This call was not approved: no user was asked.');
  expect(stderr.match(/no user is present to approve calls of tools.*--approve/g)).toHaveLength(1);
});

it('remembers an approval for the tool of a server', async () => {
  const { cwd } = await fixture();
  const answers = [uses('desk__echo'), { content: 'One.' }];
  const args = ['chat', '--server', 'desk', 'Echo'];
  const env = { ...(await endpoint(...answers, ...answers)).env, XDG_CONFIG_HOME: cwd };
  const first = await run([...args, '--approve', 'ask'], { cwd, env, input: 'a\n' });
  expect(first.lines).toContainEqual({ type: 'approval', id: 'one', approved: true, by: 'user' });
  const second = await run([...args, '--approve', 'read-only'], { cwd, env });
  expect(second.lines).toContainEqual({ type: 'approval', id: 'one', approved: true, by: 'remembered' });
});

it.each([
  ['folder', (entry: object, other: string) => ({ ...entry, cwd: other })],
  ['variables', (entry: object) => ({ ...entry, env: { OTHER: '1' } })],
])('does not take over a remembered approval where the %s of the command differ', async (_what, changed) => {
  const { cwd } = await desk({ desk: server().slice(1) });
  const answers = [uses('desk__echo'), { content: 'One.' }];
  const args = ['chat', '--server', 'desk', 'Echo', '--approve'];
  const env = { ...(await endpoint(...answers, ...answers)).env, XDG_CONFIG_HOME: cwd };
  await run([...args, 'ask'], { cwd, env, input: 'a\n' });
  const file = join(cwd, 'mcp.json');
  const { mcpServers } = JSON.parse(await readFile(file, 'utf8')) as { mcpServers: Record<string, object> };
  const other = await tempFolder();
  const edited = changed(mcpServers.desk as object, other);
  await writeFile(file, JSON.stringify({ mcpServers: { ...mcpServers, desk: edited } }));
  const { lines } = await run([...args, 'read-only'], { cwd, env });
  expect(lines).toContainEqual({ type: 'approval', id: 'one', approved: false, by: 'option' });
});

it('a cancelled question cancels its calls on the server, and leaves with 130', async () => {
  const journal = join(await tempFolder(), 'journal');
  const { cwd } = await desk({ desk: server(journal).slice(1) });
  const { env } = await endpoint(uses('desk__hold'));
  const running = start(['chat', ...all, 'Hold'], { cwd, env });
  await running.shown('"type":"progress"');
  running.child.kill('SIGINT');
  const { code, lines } = await running.finished;
  expect(lines.at(-1)).toEqual({ type: 'cancelled' });
  expect(await readFile(journal, 'utf8')).toBe('hold ended\n');
  expect(code).toBe(130);
});

it('continues a conversation', async () => {
  const { cwd } = await fixture();
  const { env } = await endpoint({ content: 'Yes.' }, { content: 'No.' });
  const args = ['chat', ...all, '--conversation', join(cwd, 'talk.json')];
  await run([...args, 'First?'], { cwd, env });
  await run([...args, 'Second?'], { cwd, env });
  const { version, messages } = JSON.parse(await readFile(join(cwd, 'talk.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  expect(version).toBe(1);
  expect((messages as { content: { text: string } }[]).map(({ content }) => content.text)).toEqual([
    'First?',
    'Yes.',
    'Second?',
    'No.',
  ]);
  await writeFile(join(cwd, 'talk.json'), '{"version":2}');
  const newer = await run([...args, 'Third?'], { cwd, env });
  expect(newer.stderr).toContain('has the version 2, not 1. Pass another file');
  expect(newer.code).toBe(2);
});

it.each([
  ['rejects the key', [401], [], 4, /answered 401.*Check OPENAI_API_KEY/],
  ['stays overloaded', [429, 429, 429, 429], [], 4, /answered 429.*Wait/],
  [
    'loops',
    [uses('desk__echo'), uses('desk__echo')],
    ['--max-steps', '1'],
    5,
    /after 1 step. Raise --max-steps/,
  ],
  ['is costly', [uses('desk__echo'), {}], ['--max-tokens', '15'], 5, /used 15 tokens, the limit is 15/],
] as const)(
  'a model that %s ends the question with its own exit code',
  async (_what, answers, args, code, message) => {
    const { cwd } = await fixture();
    const { env } = await endpoint(...answers);
    const ended = await run(['chat', ...all, ...args, 'Try'], { cwd, env });
    expect(ended.lines.at(-1)).toMatchObject({ type: 'error', message: expect.stringMatching(message) });
    expect(ended.stderr).toMatch(message);
    expect(ended.code).toBe(code);
  },
);

it('runs prompts of servers by URL, two of one host also', async () => {
  const { url } = await urlServer('http');
  const { host } = new URL(url);
  const servers = ['chat', '--server', url, '--server', `${url}?second`, '--approve', 'always'];
  const { env, requests } = await endpoint({ content: 'One.' }, { content: 'Two.' });
  const names = [host, host + new URL(url).pathname];
  for (const [at, text] of ['One.', 'Two.'].entries()) {
    const { lines } = await run([...servers, `/${names[at]}:greet`], { env });
    expect(lines.at(-1)).toEqual({ type: 'answer', text });
    expect(requests[at]).toContain('Greet Ada.');
  }
  const { stderr } = await run([...servers, '/prompts'], { env });
  for (const name of names) expect(stderr).toContain(`${name}: /${name}:greet`);
});

it.each([
  ['/help', 'Write a question.', 0],
  ['/tools', 'desk: echo', 0],
  ['/prompts', 'desk: /desk:greet who=', 0],
  ['/quit', '', 0],
  [
    '/nope',
    '"/nope" is not a command. Commands: /help, /tools, /resources, /prompts, /quit, /SERVER:PROMPT',
    2,
  ],
])('runs the command %s as a question', async (command, said, code) => {
  const { cwd } = await fixture();
  const { env, requests } = await endpoint();
  const ended = await run(['chat', ...all, command], { cwd, env });
  expect(ended.stderr).toContain(said);
  expect(ended).toMatchObject({ code, stdout: '' });
  expect(requests).toEqual([]);
});

it('has no tools and prompts without a server, and says so', async () => {
  const { stderr, code } = await run(['chat', '--model', 'stand-in', '/prompts']);
  expect(stderr.trimEnd().split('\n')).toEqual([
    'no server is given, so the model has no tools (see --server)',
    'no prompts',
  ]);
  expect(code).toBe(0);
});

it('needs a model', async () => {
  const { code, stderr } = await run(['chat', 'Hi']);
  expect(stderr).toContain('no model is given: pass --model NAME, or --model stand-in');
  expect(code).toBe(2);
});

it.each([
  ["What's the weather in Sacramento?", 'get-forecast', 'Temperature: 72°F'],
  ['What are the active weather alerts in Texas?', 'get-alerts', 'Event: Heat Advisory'],
])('the stand-in answers %j of the quickstart over the weather server', async (question, tool, text) => {
  const cwd = await tempFolder();
  const program = await bundled(new URL('../../weather/src/main.ts', import.meta.url));
  const weather = { command: process.execPath, args: [program, '--stdio', '--offline'] };
  await writeFile(join(cwd, 'mcp.json'), JSON.stringify({ mcpServers: { weather } }));
  const words = [
    'chat',
    '--model',
    'stand-in',
    '--server',
    'weather',
    '--approve',
    'always',
    '--json',
    question,
  ];
  const { code, lines } = await run(words, { cwd });
  expect(lines).toContainEqual(expect.objectContaining({ type: 'tool_call', server: 'weather', tool }));
  expect(lines.at(-1)).toEqual({ type: 'answer', text: expect.stringContaining(text) });
  expect(lines.at(-1)).toMatchObject({ text: expect.stringContaining('not a language model') });
  expect(code).toBe(0);
});
