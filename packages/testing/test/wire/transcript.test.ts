import type { WireEvent } from '@rxmcp/core';
import { once, RpcError } from '@rxmcp/core';
import { NEVER, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { fakeRemote, transcript } from '../../src/index.js';

const script = {
  'tools/call': ({ name }: Record<string, unknown>) => ({
    content: [{ type: 'text', text: `hi ${String(name)}` }],
  }),
  'own/never': () => NEVER,
  'own/fails': () => {
    throw new RpcError(7, 'no');
  },
};

describe('a transcript', () => {
  it('shows what passed, the same in every run', async () => {
    for (let run = 0; run < 2; run += 1) {
      await using fake = await fakeRemote(script, { version: '2025-11-25' });
      if (run === 1) await once(fake.remote.request('tools/call', { name: 'before' }));
      const wire = transcript(fake.remote);
      await once(fake.remote.request('tools/call', { name: 'Ada' }));
      await once(fake.remote.request('own/fails')).catch(() => undefined);
      fake.remote.request('own/never').subscribe().unsubscribe();
      await fake.remote.notify('notifications/progress', { progressToken: 'x', progress: 1 });
      wire.compare(`
        > #1 tools/call {"name":"Ada"}
        < #1 result {"content":[{"type":"text","text":"hi Ada"}]}
        > #2 own/fails
        < #2 error {"code":7,"message":"no"}
        > #3 own/never
        > notifications/cancelled {"requestId":"#3","reason":"no longer needed"}
        > notifications/progress {"progressToken":"x","progress":1}
      `);
    }
  });

  it('leaves content of the user unchanged', async () => {
    await using fake = await fakeRemote(script, { version: '2025-11-25' });
    const wire = transcript(fake.remote);
    const args = { requestId: 'refund-9', requestState: 'paid', deep: { requestId: 9 } };
    await once(fake.remote.request('tools/call', { name: 'Ada', arguments: args }));
    await fake.remote.notify('notifications/own', { requestId: 7 });
    wire.compare(`
      > #1 tools/call {"name":"Ada","arguments":${JSON.stringify(args)}}
      < #1 result {"content":[{"type":"text","text":"hi Ada"}]}
      > notifications/own {"requestId":7}
    `);
  });

  it('hides a sealed state', async () => {
    const wire$ = new Subject<WireEvent>();
    const wire = transcript({ wire$ });
    const said = { jsonrpc: '2.0', id: 1 };
    wire$.next({ direction: 'in', message: { ...said, result: { requestState: 'x' } } } as WireEvent);
    wire$.next({
      direction: 'out',
      message: { ...said, id: 2, method: 'a', params: { requestState: 'x' } },
    } as WireEvent);
    expect(wire.text()).toBe('< #1 result {"requestState":"<state>"}\n> #2 a {"requestState":"<state>"}');
  });

  it('reports how it differs', async () => {
    await using fake = await fakeRemote(script, { version: '2025-11-25' });
    const wire = transcript(fake.remote);
    await fake.remote.notify('notifications/progress', { progress: 1 });
    expect(() => wire.compare('> #1 tools/list')).toThrow(
      'the transcript differs\n--- expected\n> #1 tools/list\n--- recorded\n> notifications/progress {"progress":1}',
    );
  });

  it('shows `_meta` on demand, and nothing once it stopped', async () => {
    await using fake = await fakeRemote(script);
    const wire = transcript(fake.remote, { meta: true });
    await once(fake.remote.request('tools/call', { name: 'Ada' }));
    const before = wire.text();
    expect(before).toContain('"io.modelcontextprotocol/protocolVersion":"2026-07-28"');
    wire.stop();
    await once(fake.remote.request('tools/call', { name: 'Ada' }));
    expect(wire.text()).toBe(before);
  });
});
