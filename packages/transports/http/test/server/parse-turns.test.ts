import { MemoryBudget } from '@rxmcp/transport';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { modern, post, request, until } from './calls.js';
import { dial, heard, rawPost } from './raw.js';
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

describe('short bodies whose work takes long', () => {
  it('are dropped unparsed where their clients have left, so that another caller waits for few of them', async () => {
    const rig = await served({
      authenticate: (head) => ({ principal: head.headerValues('authorization')[0] ?? '' }),
    });
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    // The turn that has begun has an end on the real clock.
    for (let look = 0; look < 16; look += 1) await new Promise((resolve) => setImmediate(resolve));
    const parsed: string[] = [];
    const parse = JSON.parse;
    const spy = vi.spyOn(JSON, 'parse').mockImplementation((text) => {
      const value = parse(text) as { params?: { name?: string } };
      parsed.push(String(value.params?.name));
      vi.advanceTimersByTime(4);
      return value;
    });
    onTestFinished(() => spy.mockRestore());
    const call = (name: string): string =>
      rawPost(String(modern('echo', { name }).body), {
        authorization: name,
        connection: 'close',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'echo',
      });
    const left = Array.from({ length: 48 }, () => {
      const socket = dial(rig.url);
      socket.write(call('mallory'), () => socket.destroy());
      return socket;
    });
    const other = dial(rig.url);
    const response = heard(other);
    other.write(call('ada'));
    expect(await response).toContain('HTTP/1.1 200');
    // Three in each 16 turns of the event loop, in each of which one connection is accepted.
    expect(parsed.indexOf('ada')).toBeLessThan(16);
    await until(() => rig.open(...left, other) === 0);
    expect(parsed.length).toBeLessThan(18);
  });
});
