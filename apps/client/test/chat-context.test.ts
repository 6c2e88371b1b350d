import { expect, it } from 'vitest';
import { desk, endpoint, uses } from './chat-desk.js';
import { useCli } from './cli.js';

const { run, runApart, start, served, server } = useCli();

const fixture = async (): Promise<{ cwd: string }> => desk({ desk: await served() });
const said = { content: 'Good.' };
const all = ['chat', '--server', 'desk', '--approve', 'always'];
const answered = { type: 'answer', text: 'Good.' };

it('gives the model the resources that a question names', async () => {
  const { cwd } = await fixture();
  const { env, requests } = await endpoint(said);
  const { lines, code } = await run([...all, 'What is in @test://static, and in (a@b:c)?'], { cwd, env });
  const context = { type: 'context', server: 'desk', uri: 'test://static', by: 'question' };
  expect(lines.filter((line) => (line as { type: string }).type === 'context')).toMatchObject([context]);
  expect(requests[0]).toContain('always');
  expect(lines.at(-1)).toEqual(answered);
  expect(code).toBe(0);
});

it('names a resource that cannot be read', async () => {
  const { cwd } = await fixture();
  const { env, requests } = await endpoint(said);
  const { stderr, code } = await run([...all, 'What is in @test://none?'], { cwd, env });
  expect(stderr).toMatch(/reading "test:\/\/none" failed: desk: .*\/resources lists what there is/);
  expect(requests).toEqual([]);
  expect(code).toBe(1);
});

it.each([
  ['4000', ['test://static', 'test://clock']],
  ['1', []],
])('--auto adds the resources that fit in %s tokens', async (tokens, uris) => {
  const { cwd } = await fixture();
  const { env, requests } = await endpoint(said);
  const { lines } = await run([...all, '--auto', '--auto-tokens', tokens, 'What is there?'], { cwd, env });
  const contexts = lines.filter((line) => (line as { type: string }).type === 'context');
  expect(contexts.map((line) => (line as { uri: string }).uri)).toEqual(uris);
  expect(contexts.every((line) => (line as { by: string }).by === 'auto')).toBe(true);
  expect(requests[0]?.includes('tick 0')).toBe(uris.length > 0);
});

it('the model lists and reads resources', async () => {
  const { cwd } = await fixture();
  const read = uses('desk__read_resource', '{"uri":"test://static"}');
  const { env } = await endpoint(uses('desk__read_resource'), read, said);
  const args = ['chat', '--server', 'desk', '--approve', 'read-only', 'What is there?'];
  const { lines } = await run(args, { cwd, env });
  const results = lines.filter((line) => (line as { type: string }).type === 'tool_result');
  expect(results).toMatchObject([
    { isError: false, content: [{ text: expect.stringContaining('test://clock') }] },
    { isError: false, content: [{ text: expect.stringContaining('always') }] },
  ]);
  expect(lines.at(-1)).toEqual(answered);
});

it('runs a prompt with its arguments', async () => {
  const { cwd } = await fixture();
  const { env, requests } = await endpoint(said);
  const { lines } = await run([...all, '/desk:greet who="Ada Lovelace"'], { cwd, env });
  expect(requests[0]).toContain('Greet Ada Lovelace.');
  expect(lines.at(-1)).toEqual(answered);
});

it('asks for missing arguments of a prompt, with suggestions of the server', async () => {
  const { cwd } = await fixture();
  const { env, requests } = await endpoint(said);
  const args = ['chat', '--server', 'desk', '--approve', 'ask', '/desk:greet'];
  const { stderr } = await run(args, { cwd, env, input: 'Alan\n' });
  expect(stderr).toContain('who such as Ada, Alan, Bob: ');
  expect(requests[0]).toContain('Greet Alan.');
});

it.each([
  ['/desk:greet', /running "\/desk:greet" failed: add who=\.\.\./],
  ['/desk:none a=b', /running "\/desk:none" failed: no server has this prompt\. \/prompts lists them/],
])('says what is wrong with %s', async (line, message) => {
  const { cwd } = await fixture();
  const { env } = await endpoint(said);
  const { stderr, code } = await run([...all, line], { cwd, env });
  expect(stderr).toMatch(message);
  expect(code).toBe(1);
});

it('the model of the chat answers requests of a server', async () => {
  const { cwd } = await fixture();
  const { env, requests } = await endpoint(uses('desk__ask'), { content: 'Sampled.' }, said);
  const { lines } = await run([...all, 'Ask'], { cwd, env });
  expect(requests[1]).toContain('The first sentence.');
  expect(lines).toContainEqual(
    expect.objectContaining({
      type: 'tool_result',
      content: [{ type: 'text', text: expect.stringContaining('Sampled.') }],
    }),
  );
  expect(lines.at(-1)).toEqual(answered);
});

it('with --auto a request of a server to the model has the context that it asks for', async () => {
  const { cwd } = await fixture();
  const { env, requests } = await endpoint(uses('desk__informed'), { content: 'Sampled.' }, said);
  const { lines } = await run([...all, '--auto', 'Ask'], { cwd, env });
  expect(requests[1]).toContain('Context (thisServer)');
  expect(requests[1]).toContain('test://static');
  expect(lines.at(-1)).toEqual(answered);
});

it('a request of a server to the model needs approval', async () => {
  const { cwd } = await fixture();
  const { env, requests } = await endpoint(uses('desk__ask'), said);
  const args = ['chat', '--server', 'desk', '--approve', 'ask', 'Ask'];
  const { lines } = await run(args, { cwd, env, input: 'y\nr\n' });
  expect(lines).toContainEqual(expect.objectContaining({ type: 'tool_result', isError: true }));
  expect(requests).toHaveLength(2);
});

it('uses the tools of several servers, and leaves out one that cannot connect', async () => {
  const words = await served();
  const { cwd } = await desk({ one: words, broken: [process.execPath, '-e', ''], two: words });
  const { env, requests } = await endpoint(uses('two__echo', '{"a":1}'), said);
  const servers = ['one', 'broken', 'two'].flatMap((name) => ['--server', name]);
  const { lines, stderr, code } = await run(['chat', ...servers, '--approve', 'always', 'Echo'], {
    cwd,
    env,
  });
  expect(stderr).toMatch(/the server "broken" is left out: cannot connect: /);
  for (const name of ['one__echo', 'two__echo']) expect(requests[0]).toContain(`"${name}"`);
  expect(lines).toContainEqual(expect.objectContaining({ type: 'tool_call', server: 'two', tool: 'echo' }));
  expect(lines.at(-1)).toEqual(answered);
  expect(code).toBe(0);
});

it('ends if no server connects', async () => {
  const { cwd } = await desk({ broken: [process.execPath, '-e', ''] });
  const { env, requests } = await endpoint(said);
  const { code } = await run(['chat', '--server', 'broken', 'Hi'], { cwd, env });
  expect(requests).toEqual([]);
  expect(code).toBe(3);
});

it('answers each line of standard input, and lists what the servers have', async () => {
  const words = await served();
  const { cwd } = await desk({ desk: words, again: words });
  const { env, requests } = await endpoint({ content: 'One.' }, { content: 'Two.' });
  const input = 'First?\n/help\n/tools\n/resources\n/prompts\n\nSecond?\n/quit\nThird?\n';
  const { lines, stderr, code } = await run([...all, '--server', 'again'], { cwd, env, input });
  const answers = lines.filter((line) => (line as { type: string }).type === 'answer');
  expect(answers).toEqual([
    { type: 'answer', text: 'One.' },
    { type: 'answer', text: 'Two.' },
  ]);
  expect(stderr).toContain('desk: echo\n');
  expect(stderr).toContain('again: echo\n');
  expect(stderr).toContain('desk: @test://static static\n');
  expect(stderr).toContain('desk: /desk:greet who=\n');
  expect(stderr.match(/Write a question/g)).toHaveLength(1);
  expect(requests[1]).toContain('First?');
  expect(requests).toHaveLength(2);
  expect(code).toBe(0);
});

it('a server that dies in a call is a failure of the tool, and is started again', async () => {
  const { cwd } = await desk({ desk: server().slice(1) });
  const { env } = await endpoint(uses('desk__vanish'), uses('desk__echo', '{"a":1}'), said);
  const { lines, code } = await run([...all, 'Vanish'], { cwd, env });
  const results = lines.filter((line) => (line as { type: string }).type === 'tool_result');
  expect(results).toMatchObject([
    { isError: true, content: [{ text: expect.stringContaining('exited with code 7') }] },
    { isError: false, content: [{ text: '{"a":1}' }] },
  ]);
  expect(lines.at(-1)).toEqual(answered);
  expect(code).toBe(0);
});

it('says when its output cannot be written', async () => {
  const { cwd } = await fixture();
  const { env } = await endpoint(uses('desk__hold'));
  const { stderr, code } = await runApart([...all, 'Hold'], { cwd, env, into: '/dev/full' });
  expect(stderr).toContain('the output could not be written: ENOSPC');
  expect(code).toBe(1);
});

it('ends when the reader closes its output', async () => {
  const { cwd } = await fixture();
  const { env } = await endpoint(uses('desk__steps'), uses('desk__hold'));
  const running = start([...all, 'Hold'], { cwd, env });
  running.child.stdin.end();
  await running.shown('"type":"question"');
  running.child.stdout.destroy();
  expect((await running.finished).code).toBe(0);
});
