import { of } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { offerMethod, once } from '../../src/index.js';
import type { ApproveOptions } from '../../src/interceptors/index.js';
import { approve } from '../../src/interceptors/index.js';
import { drive, result } from './driven.js';
import { eras, pair } from './pair.js';

const annotations = { destructiveHint: true };
const offers = [
  offerMethod('tools/list', {}, () => ({
    tools: [{ name: 'delete', title: 'Delete all', annotations, inputSchema: { type: 'object' } }],
  })),
  offerMethod('tools/call', {}, ({ name }) => ({ content: [{ type: 'text', text: `did ${String(name)}` }] })),
];
const call = { name: 'delete', arguments: { path: '/' } };

describe.each(eras)('approval by a user before a tool is called, %s', (_era, version) => {
  it('sees the call before it is sent, and lets it pass', async () => {
    const ask = vi.fn<ApproveOptions['confirm']>(async () => true);
    const { remote } = await pair(version, { offers }, { interceptors: [approve({ confirm: ask })] });
    await once(remote.request('tools/list'));
    const done = await once(remote.request('tools/call', call));
    expect(done).toMatchObject({ content: [{ text: 'did delete' }] });
    expect(ask).toHaveBeenCalledTimes(1);
    expect(ask.mock.calls[0]?.[0]).toMatchObject({
      method: 'tools/call',
      name: 'delete',
      arguments: { path: '/' },
      title: 'Delete all',
      annotations,
      server: { name: 's' },
    });
  });

  it('rejects before anything is sent', async () => {
    const { remote } = await pair(version, { offers }, { interceptors: [approve({ confirm: () => false })] });
    const wire: unknown[] = [];
    remote.wire$.subscribe((event) => void wire.push(event));
    await expect(once(remote.request('tools/call', call))).rejects.toMatchObject({
      code: 'NOT_APPROVED',
      message: '"tools/call" was not approved: "delete"',
      outcome: 'not-sent',
      retryable: false,
    });
    expect(wire).toEqual([]);
  });

  it('need not answer after the call is cancelled', async () => {
    let signal: AbortSignal | undefined;
    const ask: ApproveOptions['confirm'] = (request) => {
      signal = request.signal;
      return new Promise(() => undefined);
    };
    const { remote } = await pair(version, { offers }, { interceptors: [approve({ confirm: ask })] });
    const running = remote.request('tools/call', call).subscribe();
    await vi.waitFor(() => expect(signal).toBeDefined());
    running.unsubscribe();
    expect(signal?.aborted).toBe(true);
  });
});

describe('approve', () => {
  const run = async (
    ask: ApproveOptions['confirm'],
    options: Partial<ApproveOptions> = {},
    method = 'tools/call',
  ) => {
    const sent = vi.fn(() => of(result({ ok: true })));
    const { seen } = drive(approve({ confirm: ask, ...options }), sent, { method, params: call });
    await new Promise((resolve) => setImmediate(resolve));
    return { seen, sent };
  };

  it.each([
    ['an invalid yes', 'yes'],
    ['nothing', undefined],
  ])('treats %s as a no', async (_what, answer) => {
    const { seen, sent } = await run(() => answer as never);
    expect(seen).toEqual([expect.objectContaining({ code: 'NOT_APPROVED' })]);
    expect(sent).not.toHaveBeenCalled();
  });

  it('treats a failure as a no, and reports it', async () => {
    const cause = new Error('the dialog broke');
    const { seen, sent } = await run(() => {
      throw cause;
    });
    expect(seen).toEqual([expect.objectContaining({ code: 'NOT_APPROVED', cause })]);
    expect(sent).not.toHaveBeenCalled();
  });

  it('asks for nothing else by default', async () => {
    const ask = vi.fn<ApproveOptions['confirm']>(() => true);
    expect((await run(ask, {}, 'prompts/get')).seen).toEqual([{ ok: true }, 'complete']);
    expect(ask).not.toHaveBeenCalled();
    await run(ask, { methods: ['prompts/get'] }, 'prompts/get');
    expect(ask.mock.calls[0]?.[0]).toMatchObject({ name: 'delete', annotations: undefined });
  });

  it('forgets annotations that the next list lacks', async () => {
    const ask = vi.fn<ApproveOptions['confirm']>(() => true);
    const interceptor = approve({ confirm: ask });
    const owner = {};
    const list = (tools: unknown[]) =>
      drive(interceptor, () => of(result({ tools })), { method: 'tools/list', owner });
    list([{ name: 'delete', annotations }]);
    list([{ name: 'other' }, 1]);
    drive(interceptor, () => of(result()), { method: 'tools/call', params: call, owner });
    await new Promise((resolve) => setImmediate(resolve));
    expect(ask.mock.calls[0]?.[0].annotations).toBeUndefined();
  });

  it('requires a function that asks', () => {
    expect(() => approve({} as never)).toThrow(TypeError);
  });
});
