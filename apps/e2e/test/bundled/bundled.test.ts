import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { esbuild } from '../../../../vitest.bundle.js';
import { repository } from '../repository.js';

const info = `{ name: 'bundled', version: '1.0.0' }`;
const header = `
  import { defineClient, defineServer } from 'rxmcp';
  import { offerTools, tool, tools } from 'rxmcp/tools';
  const echo = tool('echo', {}, () => 'ok');
  const server = defineServer({ info: ${info}, offers: [offerTools([echo])] });
  const client = defineClient({ info: ${info} });`;
const callThrough = (transport: string) => `
  const remote = await client.connect(${transport});
  const { content } = await tools(remote).call('echo', {});
  console.log(content[0].text);
  await remote.close();`;
const served = (serve: string, transport: string) => `
  const handle = await ${serve}(server, { port: 0 });
  ${callThrough(`${transport}(handle.url)`)}
  await handle.close();`;

// The umbrella imports transports on demand. A bundle in one file defers what such an import can reach until a first use, and
// esbuild overlooks uses through "export *": https://github.com/evanw/esbuild/issues/1490.
it.each([
  [
    'http',
    `import { http } from 'rxmcp/http'; import { serveHttp } from 'rxmcp/http/node'; ${header} ${served('serveHttp', 'http')}`,
  ],
  [
    'sse',
    `import { sse } from 'rxmcp/sse'; import { serveSse } from 'rxmcp/sse/node'; ${header} ${served('serveSse', 'sse')}`,
  ],
  [
    'websocket',
    `import { serveWebSocket, webSocket } from 'rxmcp/websocket/node'; ${header} ${served('serveWebSocket', 'webSocket')}`,
  ],
  [
    'any URL',
    `import { transportFor } from 'rxmcp/url'; import { serveHttp } from 'rxmcp/http/node'; ${header} ${served('serveHttp', 'transportFor')}`,
  ],
  [
    'stdio',
    `import { serveStdio, stdio } from 'rxmcp/stdio'; ${header}
    if (process.argv[2] === 'serve') serveStdio(server);
    else { ${callThrough(`stdio({ command: process.execPath, args: [process.argv[1], 'serve'] })`)} }`,
  ],
])('a server and a client over %s run from one bundle', async (_, contents) => {
  const folder = mkdtempSync(join(tmpdir(), 'rxmcp-bundled-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, 'program.mjs');
  writeFileSync(program, await bundled(contents));
  const { stdout, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout).toBe('ok\n');
});

async function bundled(contents: string): Promise<Uint8Array> {
  const { outputFiles } = await esbuild.build({
    stdin: { contents, resolveDir: join(repository, 'apps', 'e2e'), sourcefile: 'program.js' },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    conditions: ['@rxmcp/source', 'module'],
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    logLevel: 'silent',
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}
