import { PassThrough } from 'node:stream';
import { defineServer, once } from 'rxmcp';
import { stdio, serveStdio } from 'rxmcp/stdio';
import { serveSocket } from 'rxmcp/stdio/net';
import { text, offerTools, tool, tools } from 'rxmcp/tools';
import { connect } from 'node:net';
import { describe, expect, onTestFinished } from 'vitest';
import { clause } from './stage/clause.js';
import type { Frame } from './stage/frame.js';
import { metaOf, modern } from './stage/frame.js';
import { clientOf } from './stage/raw-server.js';
import { until } from './stage/turn.js';

const lines = 'a\nb\r\nc\u2028d\u0085e\u0000';
const echo = defineServer({
  info: { name: 's', version: '1' },
  offers: [offerTools([tool('echo', {}, () => text(lines))])],
});
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', _meta: metaOf() } };

/** A server that reports what it reads, and ends at a call of `die`. */
const program = `
  let rest = '';
  process.stdin.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\\n');
    rest = lines.pop();
    for (const line of lines) {
      let frame;
      try { frame = JSON.parse(line); } catch { process.stderr.write('no message: ' + line + '\\n'); continue; }
      const say = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id: frame.id, result }));
      if (frame.jsonrpc !== '2.0') process.stderr.write('no message: ' + line + '\\n');
      if (frame.method === 'server/discover')
        say({ resultType: 'complete', supportedVersions: ['${modern}'], capabilities: { tools: {} } });
      else if (frame.params?.name === 'die') process.exit(3);
      else if (frame.id !== undefined)
        say({ resultType: 'complete', content: [{ type: 'text', text: String(process.pid) }] });
    }
  });
`;

describe('the traffic over a pipe', () => {
  clause(['26/stdio/1', '26/transports/2'], 'is one line each, whatever is in it', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const handle = serveStdio(echo, { input, output, exitOnDisconnect: false });
    onTestFinished(() => handle.close());
    let written = '';
    output.setEncoding('utf8').on('data', (chunk: string) => (written += chunk));
    for (const id of [1, 2, 3]) input.write(`${JSON.stringify({ ...call, id })}\n`);
    await until(() => written.split('\n').length === 4);
    const frames = written
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Frame);
    expect(frames.map(({ id }) => id)).toEqual([1, 2, 3]);
    for (const { result } of frames) expect(result?.['content']).toEqual([{ type: 'text', text: lines }]);
  });

  clause(['26/stdio/5', '26/transports/5'], 'is sent over a socket in the same lines', async () => {
    const serving = await serveSocket(echo, { port: 0 });
    onTestFinished(() => serving.close());
    const socket = connect(serving.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    let written = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (written += chunk));
    socket.write(`${JSON.stringify(call)}\n${JSON.stringify({ ...call, id: 2 })}\n`);
    await until(() => written.split('\n').length === 3);
    for (const line of written.split('\n').slice(0, -1)) {
      expect(JSON.parse(line)).toMatchObject({ result: { content: [{ text: lines }] } });
    }
  });

  clause(
    ['26/stdio/4', '26/stdio/13'],
    'to a server is messages only, and one that died is started again',
    async () => {
      let said = '';
      const transport = stdio({
        command: process.execPath,
        args: ['-e', program],
        stderr: (line: string) => void (said += line),
      });
      const { remote } = await clientOf({ transport });
      const pid = async (): Promise<string> =>
        String((await once(tools(remote).call('pid', { text: lines }))).content[0]?.['text' as never]);
      const first = await pid();
      await expect(once(tools(remote).call('die'))).rejects.toMatchObject({ outcome: 'unknown' });
      const second = await pid();
      expect(second).toMatch(/^\d+$/);
      expect(second).not.toBe(first);
      expect(said).not.toContain('no message');
    },
  );
});
