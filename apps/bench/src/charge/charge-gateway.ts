// A child of the bench: a gateway over HTTP to the server on a port. Unless its second argument is `counted`, its memory budgets count nothing.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { offerRemote } from '@rxmcp/gateway';
import { MemoryBudget } from '@rxmcp/transport';
import { defineClient, defineServer } from 'rxmcp';
import { http } from 'rxmcp/http';
import { httpHandler } from 'rxmcp/http/node';

const [, , port = '', counts] = process.argv;
// The client of a gateway has no other budget than that of the process.
if (counts !== 'counted')
  Object.assign(MemoryBudget.prototype, { tryCharge: () => true, release: () => undefined });
const client = defineClient({ info: { name: 'bench', version: '1.0.0' }, eras: ['modern'] });
const remote = await client.connect(http(`http://127.0.0.1:${port}/mcp`));
const gateway = defineServer({ info: { name: 'gateway', version: '1.0.0' }, offers: offerRemote(remote) });
const server = createServer(httpHandler(gateway)).listen(0, '127.0.0.1', () => {
  console.error(`listening ${(server.address() as AddressInfo).port}`);
});
