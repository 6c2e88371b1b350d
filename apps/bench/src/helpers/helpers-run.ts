// A child of the bench: calls over transports made with a helper and by hand take turns; sends a row for each turn.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { MessageChannel } from 'node:worker_threads';
import type { Remote } from 'rxmcp';
import { tools } from 'rxmcp/tools';
import { type Connection, createTransport } from '@rxmcp/transport';
import { report, taskOf } from '../children/tasks.js';
import { helpedPort, portByHand } from './ports.js';
import { framesByHand, helpedFrames } from './sockets.js';
import { benchClient, make } from '../servers/rxmcp.js';
import { awaitedCalls, ownCpuMicros, takeTurns } from '../turns.js';

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
