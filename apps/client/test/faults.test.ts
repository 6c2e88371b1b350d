import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { closedPort } from '../../../vitest.ports.js';
import { useCli } from './cli.js';
import { urlServer } from './url-server.js';

const { run, start, served, server } = useCli();

/** A port that passes each connection to a function. */
async function port(handle: Parameters<typeof createServer>[1]): Promise<number> {
  const listener: Server = createServer(handle as never);
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => void listener.close());
  return (listener.address() as { port: number }).port;
}

/** The words that start a program of one line. */
const program = (script: string): readonly string[] => ['--', process.execPath, '-e', script];

const initialized = `
const say = (o) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...o }) + '\\n');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const info = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '0' } };
  if (method === 'initialize') say({ id, result: info });
  else if (method === 'tools/list') say({ id, result: { tools: [] } });
  else if (method === 'tools/call') called(id);
  else if (id !== undefined) say({ id, error: { code: -32601, message: 'no' } });
});`;

it.each([
  ['http://127.0.0.1:PORT/mcp', /ECONNREFUSED/],
  ['ws://127.0.0.1:PORT/mcp', /ECONNREFUSED/],
  ['tcp:PORT', /ECONNREFUSED/],
  ['sse+http://127.0.0.1:PORT/sse', /ECONNREFUSED/],
])('a refused port: %s', async (target, why) => {
  const { code, stderr } = await run(['tools', target.replace('PORT', String(closedPort))]);
  expect(stderr).toMatch(why);
  expect(stderr).toMatch(
    /^cannot connect: .*\. Start the server, or correct the address: nothing listens there\n$/,
  );
  expect(code).toBe(3);
});

it('a port without TLS', async () => {
  const plain = await port((socket) =>
    socket.on('error', () => undefined).end('HTTP/1.1 400 Bad Request\r\n\r\n'),
  );
  for (const target of [`https://127.0.0.1:${plain}/mcp`, `wss://127.0.0.1:${plain}/mcp`]) {
    const { code, stderr } = await run(['tools', target]);
    expect(stderr).toMatch(/^cannot connect: .*\. The server has no TLS there: use http: or ws:\n$/);
    expect(code).toBe(3);
  }
});

it('a port that speaks something else', async () => {
  const other = await port((socket) =>
    socket.on('error', () => undefined).end('\u0015\u0003\u0001\u0000\u0002\u0002'),
  );
  const { code, stderr } = await run(['tools', `http://127.0.0.1:${other}/mcp`]);
  expect(stderr).toMatch(/^cannot connect: .*\. If the server has TLS there, use https: or wss:\n$/);
  expect(code).toBe(3);
});

const paths = 'Correct the path of the URL, such as /mcp';
const sockets = 'Correct the path of the URL, or use http: or https: if the server has no WebSocket there';
const streams =
  'Correct the path of the URL, such as /sse, or leave out sse+ if the server has Streamable HTTP there';
const logs = 'Look into the log of the server or of its proxy';

it.each([
  ['http', 404, paths],
  ['http', 405, paths],
  ['http', 200, paths],
  ['http', 426, 'The server has a WebSocket there: use ws: or wss:'],
  ['http', 502, logs],
  ['ws', 406, sockets],
  ['ws', 200, sockets],
  ['ws', 502, logs],
  ['sse+http', 404, streams],
  ['sse+http', 400, streams],
  ['sse+http', 200, streams],
  ['sse+http', 502, logs],
])('%s: at a server that answers %i, to the checklist too', async (scheme, status, step) => {
  const listener = createHttpServer((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'text/html' }).end('<p>no');
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => void listener.close());
  const url = `${scheme}://127.0.0.1:${(listener.address() as { port: number }).port}/wrong`;
  const [tools, doctor] = await Promise.all([run(['tools', url]), run(['doctor', url])]);
  const [line = '', ...others] = tools.stderr.split('\n');
  expect(line).toMatch(/^cannot connect: /);
  expect(line.endsWith(`. ${step}`), line).toBe(true);
  expect([tools.code, others]).toEqual([3, ['']]);
  const { fix, code } = doctor.lines.at(-1) as { fix: string; code: number };
  // The checklist does not know whether a path of HTTP+SSE or of Streamable HTTP is meant.
  expect(fix.startsWith(status === 404 || status === 405 ? 'Correct the path of the URL' : step), fix).toBe(
    true,
  );
  expect(code).toBe(3);
});

it('a port of HTTP as a socket', async () => {
  const listener = await port((socket) =>
    socket.on('error', () => undefined).end('HTTP/1.1 400 Bad Request\r\n\r\n'),
  );
  const { code, stderr } = await run(['tools', `tcp:${listener}`]);
  expect(stderr).toMatch(/^cannot connect: PEER_CLOSED: .*\. Check the scheme and the port of the address$/m);
  expect(code).toBe(3);
});

it('a resource that cannot be watched', async () => {
  const { code, stderr } = await run(['watch', 'nope:x', ...(await served())]);
  expect(stderr).toMatch(
    /^CAPABILITY_NOT_SUPPORTED: .*\. Check its URI with rxmcp resources, or read it once/m,
  );
  expect(code).toBe(1);
});

it('a server that never answers, when connecting and in a call', async () => {
  const silent = await port((socket) => void socket.on('error', () => undefined));
  const connecting = await run(['tools', `http://127.0.0.1:${silent}/mcp`, '--timeout', '300']);
  expect(connecting.stderr).toMatch(
    /^cannot connect: .*\. Pass a larger --timeout, or find out what the server waits for\n$/,
  );
  expect(connecting.code).toBe(3);
  // A program could take longer to start on a busy machine.
  const { url } = await urlServer('http');
  const called = await run(['call', 'hold', url, '--timeout', '1000']);
  expect(called.stderr).toMatch(/TIMEOUT: .*\. Pass a larger --timeout/);
  expect(called.code).toBe(7);
});

it('a server that dies in a call', async () => {
  const { code, stderr } = await run(['call', 'vanish', ...server()]);
  expect(stderr).toMatch(/exited with code 7.*\. Run its command alone to see why\n$/);
  expect(code).toBe(3);
});

it('a server that prints on standard output', async () => {
  const script = `${initialized} const called = (id) => { for (let n = 0; n < 1000; n++) console.log('noise ' + n); say({ id, result: { content: [] } }); };`;
  const { code, lines, stderr } = await run(['call', 'x', ...program(script)]);
  expect(stderr).toMatch(/^fault UNEXPECTED_OUTPUT: .*; further lines are not shown\n$/);
  expect({ code, lines }).toEqual({ code: 0, lines: [{ content: [] }] });
});

it('a server that floods with notifications and logs', async () => {
  const script = `${initialized} const called = (id) => {
    for (let n = 0; n < 20000; n++) say({ method: 'notifications/progress', params: { progressToken: id, progress: n } });
    say({ id, result: { content: [] } });
  };`;
  const { code, lines } = await run(['call', 'x', ...program(script)]);
  expect({ code, lines }).toEqual({ code: 0, lines: [{ content: [] }] });
});

it('a line without an end is bounded', async () => {
  const script = `${initialized} const called = () => { process.stdout.write('{"jsonrpc":"2.0","x":"'); const more = () => { while (process.stdout.write('x'.repeat(65536))); process.stdout.once('drain', more); }; more(); };`;
  const { code, stderr } = await run(['call', 'x', ...program(script)]);
  expect(stderr).toMatch(/OVERFLOW/);
  expect(code).toBe(3);
});

it('a closed standard output ends the command without an error', async () => {
  const { child, shown, finished } = start(['watch', 'test://clock', ...(await served())]);
  await shown('tick 1');
  child.stdout.destroy();
  const { code, stderr } = await finished;
  expect(stderr).not.toMatch(/EPIPE|Error/);
  expect(code).toBe(0);
});

it('a stack is shown with --debug only', async () => {
  const args = ['tools', '--', '/nowhere/server'];
  const [plain, debugged] = await Promise.all([run(args), run(['tools', '--debug', ...args.slice(1)])]);
  expect(plain.stderr).toBe(
    'cannot connect: DIAL_FAILED: cannot start "/nowhere/server": ENOENT. Install the program, or correct its name\n',
  );
  expect(debugged.stderr).toMatch(/\n {4}at /);
});
