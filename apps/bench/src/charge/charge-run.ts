// A child of the bench: calls that are charged and calls that are not take turns; sends a row of the server for each turn.
import { defineClient, type Remote } from 'rxmcp';
import { http } from 'rxmcp/http';
import { socket } from 'rxmcp/stdio/net';
import { tools } from 'rxmcp/tools';
import { webSocket } from 'rxmcp/websocket/node';
import type { Transport } from 'rxmcp/transport';
import { type ChargeTask, chargedTransports } from './measure-charge.js';
import { MeasuredChild } from '../children/measured-child.js';
import type { Row } from '../settings.js';
import { awaitedCalls, takeTurns } from '../turns.js';

const { inFlight, plan } = JSON.parse(process.argv[2] ?? '') as ChargeTask;
const server = new MeasuredChild('charge-server', [], 'ignore');
const [pipes = 0, net = 0, freePipes = 0, freeNet = 0] = (await server.listening()).split(',').map(Number);
const dials = {
  stdio: (port: number) => socket({ port }),
  http: (port: number) => http(`http://127.0.0.1:${port}/mcp`),
  ws: (port: number) => webSocket(`ws://127.0.0.1:${port}/mcp`),
};
const rows: Row[] = [];
for (const transport of chargedTransports) {
  const ports = transport === 'stdio' ? [pipes, freePipes] : [net, freeNet];
  const [charged, free] = await Promise.all(ports.map((port) => connected(dials[transport](port))));
  const ways = [
    ['rxmcp', (count: number) => awaitedCalls(tools(charged as Remote), count)],
    ['uncharged', (count: number) => awaitedCalls(tools(free as Remote), count)],
  ] as const;
  const cpuMicros = (): Promise<number> => server.cpuMicros();
  rows.push(
    ...(await takeTurns({
      transport: 'charge',
      phase: `${transport}, CPU of the server`,
      heat: 'warm',
      inFlight,
      plan,
      ways,
      cpuMicros,
    })),
  );
}
await server.stop();
process.send?.(rows, () => process.exit(0));

function connected(transport: Transport): Promise<Remote> {
  const client = defineClient({ info: { name: 'bench', version: '1.0.0' }, eras: ['modern'] });
  return client.connect(transport);
}
