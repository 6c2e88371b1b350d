import { once, RpcError } from '@rxmcp/core';
import { NEVER } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { fakeRemote, transcript } from '../src/index.js';

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
        > notifications/cancelled {"requestId":"#3","reason":"not wanted any more"}
        > notifications/progress {"progressToken":"x","progress":1}
      `);
    }
  });

  it('tells how it differs', async () => {
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
