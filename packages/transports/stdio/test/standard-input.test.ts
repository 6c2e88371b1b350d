import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { until } from './child.js';
import { exit, running, server, start, type Started } from './serving-process.js';

/** A server with other code that uses `process.stdin`: at what time, and how. */
async function shared(when: string, how: string): Promise<Started & { use(): Promise<void> }> {
  const started = start([await running('standard-input'), '25000', when, how]);
  await started.ready();
  const use = async (): Promise<void> => {
    started.child.kill('SIGUSR2');
    await until(() => expect(started.stderr()).toContain('used'));
  };
  return { ...started, use };
}

const echo = (id: number) => ({ jsonrpc: '2.0', id, method: 'echo', params: { id } }) as const;
const heard = (id: number): string => `heard ${JSON.stringify(echo(id))}`;

/** Waits until a figure is the same for a while. */
async function stands(figure: () => number): Promise<void> {
  let before = NaN;
  let looks = 0;
  await vi.waitUntil(() => {
    looks = figure() === before ? looks + 1 : 0;
    before = figure();
    return looks >= 20;
  });
}

async function echoes({ messages, say }: Started, id: number): Promise<void> {
  say(echo(id));
  await until(() => expect(messages.at(-1)).toEqual({ jsonrpc: '2.0', id, result: { id } }));
}

test.each(['before', 'after'])(
  'code that waits for the end of process.stdin from %s receives it',
  async (when) => {
    const started = await shared(when, 'waits');
    await echoes(started, 1);
    started.child.stdin.end();
    expect(await exit(started.child)).toMatchObject({ code: 0 });
    await until(() => expect(started.stderr()).toContain('end received'));
  },
);

test('code that made it read meanwhile, too', async () => {
  const started = await shared('later', 'resumes');
  await started.use();
  await echoes(started, 1);
  started.child.stdin.end();
  expect(await exit(started.child)).toMatchObject({ code: 0 });
  await until(() => expect(started.stderr()).toContain('end received'));
});

test('an earlier listener to the bytes of process.stdin gets them all', async () => {
  const started = await shared('before', 'hears');
  await echoes(started, 1);
  await echoes(started, 2);
  await until(() => expect(started.stderr()).toContain(heard(1)));
  expect(started.stderr()).toContain(heard(2));
});

test('a later listener to the bytes of process.stdin gets them from then on, and no message is lost', async () => {
  const started = await shared('later', 'hears');
  const { child, messages, say } = started;
  await echoes(started, 1);
  await started.use();
  for (let id = 2; id < 100; id += 1) say(echo(id));
  await until(() => expect(messages).toHaveLength(99));
  expect(messages.map(({ id }) => id)).toEqual(Array.from({ length: 99 }, (_, index) => index + 1));
  expect(started.stderr()).toContain(heard(2).slice(0, -1));
  expect(started.stderr()).not.toContain(heard(1));
  child.stdin.end();
  expect(await exit(child)).toMatchObject({ code: 0 });
});

test('a process.stdin that was made to read before without a listener is served all the same', async () => {
  const started = await shared('before', 'reads');
  await echoes(started, 1);
});

test('code that makes process.stdin flow and reads it piece by piece takes nothing away', async () => {
  const started = await shared('later', 'iterates');
  await echoes(started, 1);
  await started.use();
  await echoes(started, 2);
  started.child.stdin.end();
  expect(await exit(started.child)).toMatchObject({ code: 0 });
});

test('a listener of process.stdin that throws costs no message', async () => {
  const started = await shared('later', 'throws');
  await started.use();
  for (let id = 1; id < 200; id += 1) started.say(echo(id));
  await until(() => expect(started.messages).toHaveLength(199));
});

test.each(['resumes', 'reads'])('held up by its client, it loses nothing to code that %s', async (how) => {
  const { child, messages, say, use } = await shared('later', how);
  child.stdout.pause();
  const params = { text: 'x'.repeat(1_500) };
  for (let id = 0; id < 4_000; id += 1) say({ jsonrpc: '2.0', id, method: 'echo', params });
  // What the pipes hold is full, so it reads no more.
  await stands(() => child.stdin.writableLength);
  await use();
  child.stdout.resume();
  await until(() => expect(messages).toHaveLength(4_000));
  expect(messages.map(({ id }) => id)).toEqual(Array.from({ length: 4_000 }, (_, id) => id));
});

test('a process.stdin that other code destroys is the end of input', async () => {
  const started = await shared('later', 'destroys');
  await echoes(started, 1);
  const [ended] = await Promise.all([exit(started.child), started.use()]);
  expect(ended).toMatchObject({ code: 0 });
});

test.each(['closed', 'resumed and closed'])('%s, process.stdin is whole again', async (when) => {
  const started = await shared(when, 'hears');
  await echoes(started, 1);
  await started.use();
  started.say(echo(2));
  await until(() => expect(started.stderr()).toContain(heard(2)));
  expect(started.messages).toHaveLength(1);
});

test('a pipe of a shell is served as a socket is', async () => {
  const started = start(server, 'cat | "$0" "$@" | cat');
  await started.ready();
  await echoes(started, 1);
  started.child.stdin.end();
  expect(await exit(started.child)).toMatchObject({ code: 0 });
});

test('a file is served to its end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rxmcp-stdio-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'input.jsonl');
  await writeFile(file, `${JSON.stringify(echo(1))}\n${JSON.stringify(echo(2))}\n`);
  const { child, messages } = start(server, `"$0" "$@" < '${file}'`);
  expect(await exit(child)).toMatchObject({ code: 0 });
  await until(() => expect(messages.map(({ id }) => id)).toEqual([undefined, 1, 2]));
});
