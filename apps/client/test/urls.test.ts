import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exhaustive } from '../../../vitest.exhaustive.js';
import { useCli } from './cli.js';
import { tempFolder } from './temp-folder.js';
import { urlServer } from './url-server.js';

const { start, run, server } = useCli();

describe.each([
  ['http', '2026-07-28'],
  ['sse', '2025-11-25'],
  ['ws', '2026-07-28'],
] as const)('a url of %s', (carrier, newest) => {
  it('leads to its server', async () => {
    const { url } = await urlServer(carrier);
    const [info, echo, failed] = await Promise.all([
      run(['info', url]),
      run(['call', 'echo', '{"a":1}', url, '--protocol', 'legacy']),
      run(['call', 'fail', url]),
    ]);
    expect(info).toMatchObject({ code: 0, lines: [{ server: { name: 'at a url' }, protocol: newest }] });
    expect(echo).toMatchObject({ code: 0, lines: [{ content: [{ text: '{"a":1}' }] }] });
    expect(failed).toMatchObject({ code: 1, lines: [{ isError: true }] });
  });

  it('is rejected without credentials, which come from --header or the config', async () => {
    const { url } = await urlServer(carrier, { token: 'open-sesame' });
    const folder = await tempFolder();
    const entries = {
      known: { url, headers: { Authorization: 'Bearer open-sesame' } },
      wrong: { url, headers: { Authorization: 'Bearer guessed-wrong' } },
    };
    await writeFile(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: entries }));
    const header = ['--header', 'authorization: Bearer open-sesame'];
    // Where headers come from is the same for all.
    const isWhole = exhaustive || carrier === 'http';
    const [wrong, known, ...others] = await Promise.all([
      run(['call', 'who', 'wrong'], { cwd: folder }),
      run(['call', 'who', 'known'], { cwd: folder }),
      ...(isWhole ? [run(['call', 'who', url, ...header])] : []),
      ...(isWhole ? [run(['call', 'who', 'wrong', ...header], { cwd: folder })] : []),
      ...(isWhole ? [run(['call', 'who', url])] : []),
    ]);
    const none = others.splice(2);
    for (const { code, stderr } of [...none, wrong]) {
      expect(code).toBe(3);
      expect(stderr).toContain('cannot connect: UNAUTHORIZED');
      expect(stderr).not.toContain('guessed-wrong');
    }
    for (const good of [known, ...others])
      expect(good).toMatchObject({ code: 0, lines: [{ content: [{ text: 'ada' }] }] });
  });

  // What a process does at its end is the same with each transport.
  if (carrier !== 'http' && !exhaustive) return;
  it('is followed until Ctrl-C, and a call is cancelled there', async () => {
    const { url, released } = await urlServer(carrier);
    const watching = start(['watch', 'test://clock', url]);
    const holding = start(['call', 'hold', url]);
    await Promise.all([watching.shown('tick 2'), holding.shown('progress: 1 of 2, held')]);
    for (const { child } of [watching, holding]) child.kill('SIGINT');
    expect((await watching.finished).code).toBe(130);
    expect((await holding.finished).code).toBe(130);
    await released;
  });

  it('ends with 3 without a server, also in the middle of a call', async () => {
    const { url, end } = await urlServer(carrier);
    const holding = start(['call', 'hold', url]);
    await holding.shown('progress: 1 of 2, held');
    await end();
    expect((await holding.finished).code).toBe(3);
    const { code, stderr } = await run(['tools', url]);
    expect(code).toBe(3);
    expect(stderr).toContain('cannot connect: ');
  });
});

it.each(['http', 'sse'] as const)(
  'a message that %s refuses is an answer, and ends with 1',
  async (carrier) => {
    const { url } = await urlServer(carrier, { maxMessageBytes: 10_000 });
    const args = JSON.stringify({ text: 'x'.repeat(20_000) });
    const { code, stderr } = await run(['call', 'echo', args, url]);
    expect(stderr).toMatch(/413|larger than 10000/);
    expect(code).toBe(1);
  },
);

describe('an invalid url', () => {
  it.each([
    ['another scheme', ['tools', 'ftp://127.0.0.1/'], '"ftp:"'],
    ['an invalid port', ['tools', 'http://127.0.0.1:99999/'], 'not a valid URL'],
    ['credentials in it', ['tools', 'http://ada:secret@127.0.0.1:1/'], '--header'],
    ['a header without a value', ['tools', 'ws://127.0.0.1:1/', '--header', 'secret'], 'a name and a value'],
    ['a name that no header has', ['tools', 'ws://127.0.0.1:1/', '--header', 'a b: secret'], '"a b"'],
    ['a value that no header has', ['tools', 'ws://127.0.0.1:1/', '--header', 'a: secret\nb'], '--header'],
  ])('ends with 2: %s', async (_what, args, named) => {
    const { code, stderr } = await run(args);
    expect(code).toBe(2);
    expect(stderr).toContain(named);
    expect(stderr).not.toContain('secret');
  });

  it('ends with 2 where headers are for a command', async () => {
    const { code, stderr } = await run(['tools', '--header', 'a: b', ...server()]);
    expect(code).toBe(2);
    expect(stderr).toContain('--header');
  });

  it.each(['http://192.0.2.1/mcp', 'ws://192.0.2.1/mcp'])(
    'ends with 3 where a credential would be sent unencrypted: %s',
    async (url) => {
      const { code, stderr } = await run(['tools', url, '--header', 'Authorization: Bearer secret']);
      expect(code).toBe(3);
      expect(stderr).toMatch(/unencrypted|plain HTTP/);
      expect(stderr).not.toContain('secret');
    },
  );
});
