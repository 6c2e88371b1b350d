import { once as happens } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { tempFolder } from './desk.js';
import { useProgram } from './program.js';

const start = useProgram();

/** A frame of JSON-RPC. */
type Frame = Readonly<Record<string, unknown>>;

/** The program over standard input and output, with a client that answers `roots/list` as given. */
async function served(roots: Frame) {
  const folder = await tempFolder();
  await writeFile(join(folder, 'a.txt'), 'A needle.\n');
  const { child } = start(['--stdio', '--root', folder]);
  const say = (frame: Frame): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n`);
  const lines = createInterface({ input: child.stdout });
  return async (id: number, method: string, params: object): Promise<Frame> => {
    say({ id, method, params });
    for (;;) {
      const [line] = (await happens(lines, 'line')) as [string];
      const frame = JSON.parse(line) as Frame;
      if (frame['method'] === 'roots/list') say({ id: frame['id'], ...roots });
      else if (frame['id'] === id) return frame;
    }
  };
}

const search = { name: 'search_files', arguments: { query: 'needle' } };
const opening = (name: string) => ({
  protocolVersion: '2025-06-18',
  capabilities: { roots: {} },
  clientInfo: { name, version: '1' },
});

it.each<[string, Frame, string]>([
  ['has no roots', { result: { roots: [] } }, 'the client has no roots'],
  ['does not know roots', { error: { code: -32601, message: 'what?' } }, 'the client offers no roots'],
  ['fails', { error: { code: -32603, message: 'broken' } }, 'the client did not share its roots'],
])('a client that declares roots and %s gets the served folder', async (_what, roots, why) => {
  const ask = await served(roots);
  await ask(0, 'initialize', opening('first'));
  const scope = `the whole served folder, since ${why}`;
  expect(await ask(1, 'tools/call', search)).toMatchObject({
    result: { structuredContent: { filesSearched: 1, scope } },
  });
});

it('row 42: two clients can use one pipe after each other', async () => {
  const ask = await served({ result: { roots: [] } });
  for (const name of ['first', 'second']) {
    expect(await ask(0, 'initialize', opening(name))).toMatchObject({
      result: { protocolVersion: '2025-06-18' },
    });
    expect(await ask(1, 'tools/call', search)).toMatchObject({ result: { structuredContent: {} } });
  }
});
