import { MemoryBudget } from '@rxmcp/transport';
import { describe, expect, it, vi } from 'vitest';
import { post, request, until } from './calls.js';
import { served } from './served.js';

const mebibyte = 1024 * 1024;

describe('large bodies that arrive together', () => {
  it('are rejected without being parsed where their caller holds too much, and others are served', async () => {
    const memory = new MemoryBudget({ maxBytes: 32 * mebibyte });
    const rig = await served(
      { authenticate: (head) => ({ principal: head.headerValues('authorization')[0] ?? '' }) },
      memory,
    );
    expect(memory.tryCharge('principal ada', 15 * mebibyte)).toBe(true);
    const parse = vi.spyOn(JSON, 'parse');
    const call = (authorization: string) =>
      rig.ask(post(request('echo', { pad: 'x'.repeat(mebibyte) }), { authorization }));
    const refused = await call('ada');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(parse.mock.calls.filter(([text]) => text.length > mebibyte)).toEqual([]);
    parse.mockRestore();
    expect(await refused.json()).toMatchObject({ error: { code: -31001 } });
    expect((await call('bob')).status).toBe(400);
    memory.release('principal ada', 15 * mebibyte);
    await until(() => memory.heldBytes === 0);
  });
});
