// A child of the bench: calls over transports made with a helper and by hand take turns; sends a row for each turn.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Remote } from 'rxmcp';
import { tools } from 'rxmcp/tools';
import {
  type Connection,
  createTransport,
  createConnection,
  fromMessages,
  pipeTraits,
  type Sink,
} from '@rxmcp/transport';
import { report, taskOf } from '../children/tasks.js';
import { benchClient, make } from '../servers/rxmcp.js';
import { awaitedCalls, ownCpuMicros, takeTurns } from '../turns.js';
import { encodeFrame, FrameReader } from '@rxmcp/jsonrpc';

/** Messages with their length in front, with the frame reader. */
const helpedFrames = (socket: Socket, isServer: boolean): Connection =>
  framed(socket, isServer, encodeFrame, (sink) => {
    const reader = new FrameReader({
      maxFrameBytes: pipeTraits.maxMessageBytes,
      onFrame: sink.bytes,
      onFault: sink.fault,
    });
    return (chunk) => reader.push(chunk);
  });

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The same by hand, with the checks that the contract requires of bytes. */
const framesByHand = (socket: Socket, isServer: boolean): Connection =>
  framed(
    socket,
    isServer,
    (text) => {
      const body = Buffer.from(text);
      const head = Buffer.allocUnsafe(4);
      head.writeUInt32BE(body.length);
      return Buffer.concat([head, body]);
    },
    (sink) => {
      let rest: Buffer = Buffer.alloc(0);
      return (chunk) => {
        rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
        while (rest.length >= 4) {
          const end = 4 + rest.readUInt32BE(0);
          if (end > 4 + pipeTraits.maxMessageBytes) throw new Error('a frame is too large');
          if (rest.length < end) return;
          sink.text(decoder.decode(rest.subarray(4, end)));
          rest = rest.subarray(end);
        }
      };
    },
  );

function framed(
  socket: Socket,
  isServer: boolean,
  encode: (text: string) => Uint8Array,
  reader: (sink: Sink) => (chunk: Buffer) => void,
): Connection {
  return createConnection(
    (sink) => {
      socket.on('close', () => sink.closed()).on('error', () => undefined);
      return {
        start: () => void socket.on('data', reader(sink)),
        send(text) {
          if (socket.write(encode(text))) return;
          return new Promise((go) => void socket.once('drain', go));
        },
        close: () => void socket.end(),
      };
    },
    pipeTraits,
    { isServer },
  );
}

/** Texts over a port, with the helper. */
const helpedPort = (port: MessagePort, isServer: boolean): Connection =>
  fromMessages(
    {
      post: (text) => port.postMessage(text),
      listen({ message, closed }) {
        port.on('message', message).on('close', () => closed());
        return () => port.close();
      },
    },
    { heartbeatIntervalMs: Infinity, isServer },
  );

const window = 1_024;

/** The same by hand: a text for each message, a number for those that were read, and `null` for the end. */
function portByHand(port: MessagePort, isServer: boolean): Connection {
  let unread = 0;
  let read = 0;
  let waiting: (() => void)[] = [];
  return createConnection(
    (sink) => {
      port.on('close', () => sink.closed());
      return {
        start: () =>
          void port.on('message', (data: string | number | null) => {
            if (typeof data === 'string') {
              read += 1;
              if (read >= window / 2) {
                port.postMessage(read);
                read = 0;
              }
              sink.text(data);
            } else if (data === null) port.close();
            else {
              unread -= data;
              for (const go of waiting.splice(0)) go();
              waiting = [];
            }
          }),
        send(text) {
          port.postMessage(text);
          unread += 1;
          return unread < window ? undefined : new Promise<void>((go) => waiting.push(go));
        },
        close: () => port.postMessage(null),
      };
    },
    pipeTraits,
    { isServer },
  );
}

const { carrier, inFlight, plan } = taskOf<'helpers-run'>();
const isPort = carrier === 'port';
const helped = await (isPort ? overPort(helpedPort) : overSocket(helpedFrames));
const byHand = await (isPort ? overPort(portByHand) : overSocket(framesByHand));
const rows = await takeTurns({
  transport: 'helpers',
  inFlight,
  plan,
  cpuMicros: { [carrier]: ownCpuMicros },
  ways: [
    ['rxmcp', (count) => awaitedCalls(tools(helped), count)],
    ['by hand', (count) => awaitedCalls(tools(byHand), count)],
  ],
});
report(rows);

function overPort(
  connection: (port: MessageChannel['port1'], isServer: boolean) => Connection,
): Promise<Remote> {
  const { port1, port2 } = new MessageChannel();
  make(1).accept(connection(port2, true));
  return connected(async () => connection(port1, false));
}

async function overSocket(connection: (socket: Socket, isServer: boolean) => Connection): Promise<Remote> {
  const server = createServer((socket) => void make(1).accept(connection(socket.setNoDelay(), true)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return connected(async () => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return connection(socket, false);
  });
}

function connected(open: () => Promise<Connection>): Promise<Remote> {
  return benchClient('modern').connect(createTransport(carrier, open));
}
