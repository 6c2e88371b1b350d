import type { Remote } from 'rxmcp';
import { defineClient, defineServer, RxmcpError, meter, once, RpcError } from 'rxmcp';
import { http } from 'rxmcp/http';
import { serveHttp } from 'rxmcp/http/node';
import { offerTools, text, tool, tools } from 'rxmcp/tools';
import { bearer } from 'rxmcp/transport/guard';
import { firstValueFrom } from 'rxjs';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

const info = { name: 'figures', version: '1.0.0' };
const greet = tool('greet', { input: z.object({ name: z.string() }) }, ({ name }) => {
  if (name === 'nobody') throw new RpcError(7, 'unknown name');
  return text(`Hello, ${name}!`);
});

async function served(): Promise<{
  server: ReturnType<typeof defineServer>;
  as(who: string): Promise<Remote>;
}> {
  const server = defineServer({ info, offers: [offerTools([greet])], stats: meter() });
  const authenticate = bearer({ ada: 'token-of-ada', bob: 'token-of-bob' });
  const handle = await serveHttp(server, { authenticate });
  onTestFinished(() => handle.close());
  return {
    server,
    async as(who) {
      const headers = { authorization: `Bearer token-of-${who}` };
      const client = defineClient({ info: { name: who, version: '1' }, stats: meter() });
      const remote = await client.connect(http(handle.url, { headers }));
      onTestFinished(() => remote.close());
      return remote;
    },
  };
}

it('both sides of Streamable HTTP report the calls and their outcomes', async () => {
  const { server, as } = await served();
  const remote = await as('ada');
  for (const name of ['Ada', 'Bob', 'nobody'])
    await once(tools(remote).call('greet', { name })).catch(() => undefined);
  const { methods, connections } = await firstValueFrom(server.stats$);
  const calls = { method: 'tools/call', calls: 3, inFlight: 0, errors: { 7: 1 }, latency: { count: 3 } };
  expect(methods).toMatchObject([calls]);
  expect(remote.stats().methods).toMatchObject([calls]);
  expect(connections).toBe(1);
  expect([server.health(), remote.health()]).toEqual([{ healthy: true }, { healthy: true }]);
});

it('one principal cannot use all subscriptions of an endpoint without sessions', async () => {
  const { server, as } = await served();
  const ada = await as('ada');
  const listen = (remote: Remote): Promise<unknown> =>
    once(remote.request('subscriptions/listen', { notifications: { toolsListChanged: true } })).catch(
      (error: unknown) => error,
    );
  const open = async (): Promise<number> => (await firstValueFrom(server.stats$)).subscriptions;
  for (let n = 0; n < 64; n += 1) void listen(ada);
  await expect.poll(open).toBe(64);
  expect(await listen(ada)).toMatchObject({ code: -31001, retryable: true });
  const bob = await as('bob');
  const refused = listen(bob);
  await expect.poll(open).toBe(65);
  await bob.close();
  expect(RxmcpError.is(await refused)).toBe(true);
});
