import type { Remote } from '@rxmcp/core';
import { defineClient, defineServer, offerMethod, once, progressItem } from '@rxmcp/core';
import { http } from '@rxmcp/http';
import { fetchHandler } from '@rxmcp/http/fetch';
import { record, replayAsClient, replayAsServer, virtualTime } from '@rxmcp/testing';
import { NEVER, of } from 'rxjs';
import { expect, it } from 'vitest';

const info = { name: 'x', version: '1.0.0' };
const server = () =>
  defineServer({
    info,
    offers: [
      offerMethod('own/greet', {}, ({ name }) => of(progressItem(1, 2), { said: `Hello, ${String(name)}!` })),
      offerMethod('own/never', {}, () => NEVER),
    ],
  });

async function session(remote: Remote, name = 'Ada'): Promise<unknown> {
  const said = await once(remote.request('own/greet', { name }));
  const never = remote.request('own/never').subscribe();
  await new Promise((resolve) => setTimeout(resolve, 50));
  never.unsubscribe();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await once(remote.request('own/greet', { name: 'Bob' }));
  await remote.close();
  return said;
}

it.each(['2026-07-28', '2025-11-25'])('either side of a session over HTTP replays at %s', async (version) => {
  using time = virtualTime();
  const served = record(server());
  const handler = fetchHandler(served.recorded);
  const dialled = record(
    http('http://127.0.0.1/mcp', { fetch: (url, init) => handler(new Request(url, init)) }),
  );
  const client = defineClient({ info, versions: [version] });
  const seen = await time.run(client.connect(dialled.recorded).then(session));
  await time.run(handler.close());
  if (version === '2026-07-28')
    expect(dialled.recording().frames.some(({ type }) => type === 'lane-closed')).toBe(true);
  for (const strict of [true, false]) {
    const { transport, done } = replayAsServer(dialled.recording(), { strict });
    expect(await time.run(client.connect(transport).then((remote) => session(remote)))).toEqual(seen);
    await time.run(done);
    await time.run(replayAsClient(served.recording(), server(), { strict }));
  }
  const { transport, done } = replayAsServer(dialled.recording());
  await time.run(
    client
      .connect(transport)
      .then((remote) => session(remote, 'Eve'))
      .catch(() => undefined),
  );
  await expect(done).rejects.toMatchObject({ code: 'FRAME_DIFFERS', path: 'params.name', actual: 'Eve' });
});
