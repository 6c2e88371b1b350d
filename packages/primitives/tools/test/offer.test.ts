import { describe, expect, it } from 'vitest';
import { BehaviorSubject, NEVER, Subject } from 'rxjs';
import { offerTools, tool, type Tool } from '../src/index.js';
import { call, callTool } from './calling.js';
import { person } from './schemas.js';

const ping = tool('ping', {}, () => 'pong');
const greet = tool('greet', { input: person }, ({ name }) => `Hello, ${name}!`);

describe('an offer of tools', () => {
  it('advertises list changes only where it can change', () => {
    expect(offerTools([ping]).capabilities).toEqual({ tools: {} });
    expect(offerTools(NEVER).capabilities).toEqual({ tools: { listChanged: true } });
  });

  it('lists in the order given, in pages where pageSize is set', async () => {
    expect(await call(offerTools([greet, ping]), 'tools/list', {}).end).toEqual({
      tools: [greet.info, ping.info],
    });
    const paged = offerTools([greet, ping], { pageSize: 1 });
    const first = await call(paged, 'tools/list', {}).end;
    expect(first['tools']).toEqual([greet.info]);
    const second = await call(paged, 'tools/list', { cursor: first['nextCursor'] }).end;
    expect(second).toEqual({ tools: [ping.info] });
  });

  it('rejects duplicates and values that are not tools', () => {
    expect(() => offerTools([ping, tool('ping', {}, () => '')])).toThrow('two of tools are called "ping"');
    expect(() => offerTools([{ name: 'x' } as never])).toThrow('not a tool');
    expect(() => offerTools(undefined as never)).toThrow(TypeError);
  });

  it.each([
    [{}, '"name" must be a string'],
    [{ name: 1 }, '"name" must be a string'],
    [{ name: 'ping', arguments: [] }, '"arguments" must be an object'],
    [{ name: 'ping', arguments: null }, '"arguments" must be an object'],
    [{ name: 'ping', arguments: 'x' }, '"arguments" must be an object'],
    [{ name: 'Ping' }, 'unknown tool "Ping", did you mean "ping"?'],
    [{ name: 'nothing like it' }, 'unknown tool "nothing like it"'],
    [{ name: '__proto__' }, 'unknown tool "__proto__"'],
    [{ name: 'toString' }, 'unknown tool "toString"'],
    [{ name: 'a\u202eb' }, 'unknown tool "a\\u202eb"'],
  ])('refuses %j', async (params, message) => {
    const { end } = call(offerTools([ping]), 'tools/call', params);
    await expect(end).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining(message),
    });
  });

  it('serves a tool called __proto__', async () => {
    const odd = offerTools([tool('__proto__', {}, () => 'odd')]);
    expect(await callTool(odd, '__proto__')).toEqual({ content: [{ type: 'text', text: 'odd' }] });
  });

  it('refuses a client without the abilities that the tool needs, before its arguments are checked', async () => {
    let ran = false;
    const asking = tool('ask', { input: person, needs: ['sampling'] }, () => ((ran = true), ''));
    const { end } = call(offerTools([asking]), 'tools/call', { name: 'ask' }, { roots: {} });
    await expect(end).rejects.toMatchObject({ code: 'CAPABILITY_NOT_SUPPORTED' });
    expect(ran).toBe(false);
    const params = { name: 'ask', arguments: { name: 'Ada' } };
    await call(offerTools([asking]), 'tools/call', params, { sampling: {} }).end;
    expect(ran).toBe(true);
  });

  it('reports once that the arguments of a raw schema are not checked', async () => {
    const raw = offerTools([tool('raw', { input: { type: 'object' } }, () => ''), ping]);
    const calls = ['raw', 'raw', 'ping'].map((name) => call(raw, 'tools/call', { name }));
    await Promise.all(calls.map(({ end }) => end));
    expect(calls.map(({ faults }) => faults.length)).toEqual([1, 0, 0]);
    expect(calls[0]!.faults[0]).toMatchObject({ code: 'SCHEMA_UNCHECKED' });
  });
});

describe('a live offer', () => {
  const noHost = { changed: () => undefined, fault: () => undefined };

  it('calls and lists the latest tools of the source', async () => {
    const source = new BehaviorSubject<readonly Tool[]>([ping]);
    const offer = offerTools(source);
    const stop = offer.start?.(noHost);
    expect(await call(offer, 'tools/list', {}).end).toEqual({ tools: [ping.info] });
    source.next([greet]);
    expect(await call(offer, 'tools/list', {}).end).toEqual({ tools: [greet.info] });
    await expect(callTool(offer, 'ping')).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    expect(await callTool(offer, 'greet', { name: 'Ada' })).toMatchObject({
      content: [{ text: 'Hello, Ada!' }],
    });
    stop?.();
    expect(source.observed).toBe(false);
  });

  it('a call waits for the first value like a list', async () => {
    const source = new Subject<readonly Tool[]>();
    const offer = offerTools(source);
    offer.start?.(noHost);
    const called = callTool(offer, 'ping');
    source.next([ping]);
    expect(await called).toEqual({ content: [{ type: 'text', text: 'pong' }] });
  });

  it('does not run a call that was cancelled while it waited', async () => {
    const source = new Subject<readonly Tool[]>();
    const offer = offerTools(source);
    offer.start?.(noHost);
    let ran = false;
    const called = call(offer, 'tools/call', { name: 'x' });
    called.stop();
    source.next([tool('x', {}, () => ((ran = true), ''))]);
    await Promise.resolve();
    await Promise.resolve();
    expect(ran).toBe(false);
  });

  it('is silent for no longer than its timeout', async () => {
    const offer = offerTools(NEVER, { offerTimeoutMs: 1 });
    offer.start?.(noHost);
    await expect(callTool(offer, 'ping')).rejects.toMatchObject({ code: 'OFFER_TIMEOUT' });
  });
});
