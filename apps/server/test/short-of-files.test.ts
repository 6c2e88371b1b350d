import { once as happens } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { defineClient, once, type Remote } from 'rxmcp';
import { http } from 'rxmcp/http';
import { resources } from 'rxmcp/resources';
import { expect, it, onTestFinished } from 'vitest';
import { folderUri } from '../src/folder/folder-uri.js';
import { tempFolder } from './desk.js';
import { useProgram } from './program.js';

const start = useProgram();
/** Enough for a start and for the programs that look at the folder. */
const files = 128;

async function connected(url: string): Promise<Remote> {
  const remote = await defineClient({ info: { name: 'desk', version: '1' } }).connect(http(url));
  onTestFinished(() => remote.close());
  return remote;
}

it.skipIf(process.platform === 'win32')('a directory of more files than may be open is read', async () => {
  const root = await tempFolder();
  for (let at = 0; at < 2 * files; at += 1) writeFileSync(join(root, `${at}.txt`), String(at));
  const { listening } = start(['--root', root, '--http', '0'], {}, files);
  const [url = ''] = await listening(1);
  const { read } = resources(await connected(url));
  const texts = (await once(read(folderUri(root)))).map((file) => ('text' in file ? Number(file.text) : NaN));
  expect(texts.sort((a, b) => a - b)).toEqual([...Array(2 * files).keys()]);
});

it.skipIf(process.platform === 'win32')(
  'a file that cannot be opened for lack of descriptors is neither reported as outside nor skipped',
  async () => {
    const root = await tempFolder();
    writeFileSync(join(root, 'a.txt'), 'a');
    const { child, listening } = start(['--root', root, '--http', '0', '--stdio'], {}, files);
    const [url = ''] = await listening(1);
    let id = 0;
    const ask = async (method: string, params: object): Promise<unknown> => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: (id += 1), method, params })}\n`);
      const [line] = (await happens(child.stdout, 'data')) as [Buffer];
      return JSON.parse(String(line));
    };
    const clientInfo = { name: 'desk', version: '1' };
    await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    const uri = `${folderUri(root)}a.txt`;
    expect(await ask('resources/read', { uri })).toMatchObject({ result: { contents: [{ text: 'a' }] } });
    const sockets = Array.from({ length: 2 * files }, () => connect(Number(new URL(url).port), '127.0.0.1'));
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    // What it has no descriptor for it ends at once.
    await Promise.race(
      sockets.map((socket) => happens(socket.on('error', () => undefined).resume(), 'close')),
    );
    expect(await ask('resources/read', { uri })).toMatchObject({ error: { code: -32_603 } });
    // Nor does a search for its text skip it.
    const search = { name: 'search_files', arguments: { query: 'a' } };
    expect(await ask('tools/call', search)).toMatchObject({ result: { isError: true } });
    for (const socket of sockets) socket.destroy();
    await expect
      .poll(() => ask('resources/read', { uri }))
      .toMatchObject({ result: { contents: [{ text: 'a' }] } });
  },
);
