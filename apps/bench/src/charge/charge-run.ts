// A child of the bench: calls that are charged and calls that are not take turns; sends a row of the server for each turn.
import type { Remote } from 'rxmcp';
import { http } from 'rxmcp/http';
import { socket } from 'rxmcp/stdio/net';
import { tools } from 'rxmcp/tools';
import { webSocket } from 'rxmcp/websocket/node';
import type { Transport } from 'rxmcp/transport';
import { MeasuredChild } from '../children/measured-child.js';
import { report, taskOf } from '../children/tasks.js';
import { benchClient } from '../servers/rxmcp.js';
import type { Row } from '../settings.js';
import { awaitedCalls, takeTurns } from '../turns.js';

const { inFlight, plan } = taskOf<'charge-run'>();
const server = new MeasuredChild('charge-server', [], 'ignore');
const [pipes = 0, net = 0, freePipes = 0, freeNet = 0] = (await server.listening()).split(',').map(Number);
const dials = {
  stdio: (port: number) => socket({ port }),
  http: (port: number) => http(`http://127.0.0.1:${port}/mcp`),
  ws: (port: number) => webSocket(`ws://127.0.0.1:${port}/mcp`),
};
const rows: Row[] = [];
for (const transport of ['stdio', 'http', 'ws'] as const) {
  const ports = transport === 'stdio' ? [pipes, freePipes] : [net, freeNet];
  await measure(`${transport}, CPU of the server`, [server], ports.map(dials[transport]));
}
const gateways = ['counted', 'uncounted'].map(
  (counts) => new MeasuredChild('charge-gateway', [String(freeNet), counts], 'ignore'),
);
const gatewayPorts = await Promise.all(gateways.map((gateway) => gateway.listening()));
await measure(
  'a gateway over http, CPU of the gateway',
  gateways,
  gatewayPorts.map((port) => dials.http(Number(port))),
);
await Promise.all([server, ...gateways].map((child) => child.stop()));
report(rows);

/** Adds rows for charged and uncharged calls over two transports; processes that are not called take no time. */
async function measure(
  phase: string,
  measured: readonly MeasuredChild[],
  transports: readonly Transport[],
): Promise<void> {
  const client = benchClient('modern');
  const [charged, free] = await Promise.all(transports.map((transport) => client.connect(transport)));
  const ways = [
    ['rxmcp', (count: number) => awaitedCalls(tools(charged as Remote), count)],
    ['uncharged', (count: number) => awaitedCalls(tools(free as Remote), count)],
  ] as const;
  const used = async (): Promise<number> => {
    const all = await Promise.all(measured.map((child) => child.cpuMicros()));
    return all.reduce((sum, micros) => sum + micros, 0);
  };
  rows.push(
    ...(await takeTurns({ transport: 'charge', inFlight, plan, cpuMicros: { [phase]: used }, ways })),
  );
}
