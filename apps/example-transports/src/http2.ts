import { once } from 'node:events';
import {
  connect,
  constants,
  createServer,
  type Http2Server,
  type Http2Session,
  type Http2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { LineReader } from '@rxmcp/jsonrpc';
import {
  type Connection,
  type ConnectionHandler,
  ConnectionSet,
  createConnection,
  createTransport,
  type Lane,
  notSentError,
  pipeTraits,
  type Sink,
  type Traits,
  type Transport,
  TransportError,
} from '@rxmcp/transport';

const traits: Traits = { ...pipeTraits, lanes: 'per-request' };
const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR } = constants;
/** Node.js counts what waits to be sent, in MB. The largest message has room in it. */
const limits = { maxSessionMemory: 256 };
/** For all streams together: each has its own window, so that one that is not read holds up no other. */
const sessionWindowBytes = 2 ** 31 - 1;

/** A connection over a session: a stream of lines for each request, and a standing one for everything else. */
function overSession(session: Http2Session, standing: Http2Stream, isServer: boolean): Connection {
  const streams = new Map<Lane | undefined, Http2Stream>();
  let isStarted = false;
  let isOrderly = false;
  session.setLocalWindowSize(sessionWindowBytes);

  const carry = (sink: Sink, stream: Http2Stream, lane?: Lane): Http2Stream => {
    streams.set(lane, stream);
    const info = lane === undefined ? {} : { lane };
    const onLine = (text: string): void => sink.text(text, info);
    const reader = new LineReader({ maxLineBytes: traits.maxMessageBytes, onLine, onFault: sink.fault });
    stream.on('data', (chunk: Uint8Array) => reader.push(chunk));
    if (!isStarted) stream.pause();
    stream.on('error', () => undefined); // 'close' follows
    stream.once('close', () => {
      streams.delete(lane);
      reader.end();
      if (lane === undefined && !isOrderly) session.destroy(lost('the standing stream was lost'));
      else if (lane !== undefined && !session.destroyed) sink.laneClosed(lane, lossOf(stream));
    });
    return stream;
  };

  return createConnection(
    (sink) => {
      const ended = new Promise<void>((resolve) => session.once('close', resolve));
      const end = (): void => {
        isOrderly = true;
        for (const stream of streams.values()) stream.end().resume();
        session.close();
      };
      // Node.js also ends a stream that was reset.
      carry(sink, standing).once('end', () => standing.rstCode === NGHTTP2_NO_ERROR && end());
      session.once('goaway', (code: number) => (isOrderly = code === NGHTTP2_NO_ERROR));
      session.on('error', () => undefined);
      session.on('stream', (stream: Http2Stream) => {
        if ('respond' in stream) (stream as { respond(): void }).respond();
        carry(sink, stream, {});
      });
      void ended.then(() => sink.closed(isOrderly ? undefined : lost('the session was lost')));
      return {
        start() {
          isStarted = true;
          for (const stream of streams.values()) stream.resume();
        },
        send(text, options) {
          let stream = streams.get(options?.lane);
          if (stream === undefined && isServer) throw notSentError('SEND_FAILED', 'the lane has ended');
          stream ??= carry(sink, requestOf(session), options?.lane);
          if (stream.write(`${text}\n`)) return;
          return new Promise((resolve, reject) => {
            stream.write('', (error) => (error ? reject(error) : resolve())); // after all before it
          });
        },
        endLane(lane, isAnswered) {
          const stream = streams.get(lane);
          if (isAnswered) stream?.end();
          else stream?.close(NGHTTP2_CANCEL);
        },
        close() {
          end();
          // A session that closes waits for the peer, also where it is destroyed.
          const deadline = setTimeout(() => session.socket.resetAndDestroy(), 1_000);
          return ended.then(() => clearTimeout(deadline));
        },
      };
    },
    traits,
    { isServer },
  );
}

function requestOf(session: Http2Session): Http2Stream {
  return (session as ReturnType<typeof connect>).request({ ':method': 'POST' }, { endStream: false });
}

function lost(message: string): TransportError {
  return new TransportError('CONNECTION_LOST', message);
}

function lossOf({ rstCode }: Http2Stream): TransportError | undefined {
  if (rstCode === NGHTTP2_NO_ERROR || rstCode === NGHTTP2_CANCEL) return undefined;
  return lost(`the stream of the request was reset with code ${String(rstCode)}`);
}

/** A transport to a port of this machine. */
export const http2 = (port: number): Transport =>
  createTransport('http2', async (signal) => {
    const session = connect(`http://127.0.0.1:${String(port)}`, limits);
    const stop = (): void => session.destroy();
    signal.addEventListener('abort', stop);
    session.on('error', stop);
    const standing = requestOf(session);
    await once(standing, 'response');
    return overSession(session, standing, false);
  });

/** Serves on a free port. */
export async function serveHttp2(
  handler: ConnectionHandler,
  server: Http2Server = createServer(limits),
): Promise<ConnectionSet & { port: number }> {
  const connections = new ConnectionSet(handler, () => server.close());
  server.on('session', (session) => {
    session.on('error', () => undefined);
    session.once('stream', (standing) => {
      standing.respond();
      connections.accept(overSession(session, standing, true));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return Object.assign(connections, { port: (server.address() as AddressInfo).port });
}
