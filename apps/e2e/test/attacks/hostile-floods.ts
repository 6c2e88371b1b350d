import { gzipSync } from 'node:zlib';
import { type Asked, both, greeting, type Kind, megabytes, notice, sampling, streams } from './hostile.js';

/** Sends messages without end, to whatever the client calls. */
const flood =
  (made: (asked: Asked, at: number) => object): Kind['answer'] =>
  (asked, voice) => {
    if (asked.method !== 'tools/call') return false;
    return (async () => {
      for (let at = 1; voice.isOpen; at += 1) await voice.send(made(asked, at));
    })();
  };

/** Writes bytes without end where the client waits for the answer to a call. */
const rawFlood =
  (bytes: string | Buffer): Kind['answer'] =>
  ({ method }, voice) => {
    if (method !== 'tools/call') return false;
    return (async () => {
      while (voice.isOpen) await voice.raw(bytes);
    })();
  };

/** The id of a request of the server, which no other call uses. */
const idOf = ({ id }: Asked, at: number): string => `${String(id)} ${String(at)}`;
const ping = flood((asked, at) => ({
  jsonrpc: '2.0',
  id: idOf(asked, at) + 'i'.repeat(200),
  method: 'ping',
}));

const early: Kind['answer'] = ({ method }, voice) => {
  if (method !== (voice.era === 'modern' ? 'server/discover' : 'initialize')) return false;
  return (async () => {
    const log = notice('message', { level: 'error', data: megabytes(3.9) });
    for (let at = 0; at < 100; at += 1) await voice.send(log);
    await voice.result(greeting(voice.era));
  })();
};

const headers = 'a:\r\n'.repeat(16_000);
const chunked = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';

const bytesOfGzip = Buffer.concat(
  Array.from(gzipSync('x'.repeat(10_000), { level: 0 }), (byte) => Buffer.from([49, 13, 10, byte, 13, 10])),
);
const gzipInBytes: Kind['answer'] = ({ method }, voice) => {
  if (method !== 'tools/call') return false;
  return (async () => {
    await voice.raw(chunked.replace('\r\n\r\n', '\r\ncontent-encoding: gzip\r\n\r\n'));
    while (voice.isOpen) await voice.raw(bytesOfGzip);
  })();
};

/** Writes bytes once where the client waits for the answer to a call, and then nothing. */
const rawOnce =
  (bytes: string): Kind['answer'] =>
  ({ method }, voice) =>
    method === 'tools/call' && voice.raw(bytes);

const fragment = Buffer.from([0x00, 0x01, 0x61]);
const pingFrame = Buffer.concat([Buffer.from([0x89, 125]), Buffer.alloc(125, 0x61)]);

/** A kind whose calls are of a tool. */
const kind = (
  name: string,
  over: Kind['over'],
  times: number,
  answer: Kind['answer'],
  eras: Kind['eras'] = both,
): Kind => ({ name, over, times, answer, eras, method: 'tools/call' });

/** Attacks with what a client did not ask for, and with what does not end. */
export const floods: readonly Kind[] = [
  kind(
    'progress',
    streams,
    8,
    flood(({ params }, at) => {
      const progressToken = at % 2 === 0 ? 'unknown' : params?._meta?.['progressToken'];
      return notice('progress', { progressToken, progress: at, message: megabytes(1) });
    }),
  ),
  kind(
    'logs',
    streams,
    8,
    flood(() => notice('message', { level: 'error', data: megabytes(1) })),
  ),
  kind(
    'unknown notifications',
    streams,
    8,
    flood((_, at) => notice(String(at) + megabytes(1), {})),
  ),
  kind(
    'requests of the server',
    streams,
    4,
    flood((asked, at) => ({ jsonrpc: '2.0', id: idOf(asked, at), ...sampling(megabytes(3.9)) })),
    ['legacy'],
  ),
  kind(
    'unknown requests',
    streams,
    4,
    flood((asked, at) => ({ jsonrpc: '2.0', id: idOf(asked, at), method: megabytes(1) })),
    ['legacy'],
  ),
  kind('pings', streams, 4, ping, ['legacy']),
  kind('pings whose answers are not read', ['websocket'], 4, ping, ['legacy']),
  kind('notifications before the opening', streams, 1, early),
  kind('a body without end', ['http'], 16, rawFlood(megabytes(1))),
  kind('a body in chunks of a few bytes', ['http'], 1, rawFlood('3\r\nabc\r\n'.repeat(20_000))),
  kind('heads that do not end', ['http', 'sse'], 60, rawOnce(`HTTP/1.1 200 OK\r\n${headers}`)),
  kind('heads of many headers', ['http', 'sse'], 60, rawFlood(`HTTP/1.1 200 OK\r\n${headers}${headers}`)),
  kind('heads without a response', ['http', 'sse'], 4, rawFlood('HTTP/1.1 103 Early\r\n\r\n'.repeat(10_000))),
  kind('heads after the body', ['http', 'sse'], 60, rawOnce(`${chunked}0\r\n${headers}`)),
  kind('heads of gzip in chunks of a byte', ['http', 'sse'], 20, gzipInBytes),
  kind('a line without end', ['sse-answer', 'sse', 'stdio'], 16, rawFlood(megabytes(1))),
  kind('comments without end', ['sse-answer', 'sse'], 16, rawFlood(`: ${megabytes(1)}\n`)),
  kind('event ids', ['sse-answer', 'sse'], 16, rawFlood(`id: ${megabytes(4)}\n\n`)),
  kind('garbage', ['stdio'], 16, rawFlood('garbage\n'.repeat(100_000))),
  // The child floods.
  kind('stderr', ['stdio'], 4, rawFlood('\n')),
  kind('fragments without end', ['websocket'], 1, rawFlood(Buffer.alloc(60_000, fragment))),
  kind('WebSocket pings, not read', ['websocket'], 1, rawFlood(Buffer.alloc(127_000, pingFrame))),
];
