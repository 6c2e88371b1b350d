import { BehaviorSubject } from 'rxjs';
import { expect, expectTypeOf, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { defineServer } from 'rxmcp';
import { connectedPair } from '@rxmcp/testing';
import type { Tool, ToolResult } from 'rxmcp/tools';
import { offerTools, textOf, tool, tools } from 'rxmcp/tools';

const info = { name: 'test', version: '1.0.0' };
const add = tool(
  'add',
  { input: z.object({ a: z.number(), b: z.number().default(1) }), output: z.object({ sum: z.number() }) },
  ({ a, b }) => ({ sum: a + b }),
);
const ping = tool('ping', () => 'pong');
const server = defineServer({ info, offers: [offerTools([add]), offerTools([ping])] });
const paired = async () => (await connectedPair({ server, onCleanup: onTestFinished })).remote;

it('a call of a shared tool has the types of its schemas', async () => {
  const remote = await paired();
  const result = await tools(remote).call(add, { a: 1, b: 2 });
  if (result.isError !== true) expectTypeOf(result.structuredContent).toEqualTypeOf<{ sum: number }>();
  expect(result.structuredContent).toEqual({ sum: 3 });
  // @ts-expect-error a string is not a number
  const wrong = await tools(remote).call(add, { a: '1' });
  expect(textOf(wrong)).toContain('invalid arguments for tool "add"');
  // @ts-expect-error the arguments are required
  expect(await tools(remote).call(add)).toMatchObject({ isError: true });
  expect(textOf(await tools(remote).call(ping))).toBe('pong');
});

it('with the type of the server, names, arguments and results are checked', async () => {
  const typed = tools<typeof server>(await paired());
  const result = await typed.call('add', { a: 1 });
  if (result.isError !== true) expectTypeOf(result.structuredContent).toEqualTypeOf<{ sum: number }>();
  expect(result.structuredContent).toEqual({ sum: 2 });
  expectTypeOf(await typed.call('ping')).toEqualTypeOf<ToolResult>();
  // @ts-expect-error there is no such tool
  await expect(typed.call('ad', { a: 1 })).rejects.toThrow('unknown tool "ad"');
  // @ts-expect-error "b" is a number
  expect(await typed.call('add', { a: 1, b: '2' })).toMatchObject({ isError: true });
  expect(await typed.events('add', { a: 2 })).toMatchObject({ structuredContent: { sum: 3 } });
});

it('a call of a foreign server is typed and checked by an output schema', async () => {
  const remote = await paired();
  const output = z.object({ sum: z.number().transform(String) });
  const result = await tools(remote).call('add', { a: 1 }, { output });
  if (result.isError !== true) expectTypeOf(result.structuredContent).toEqualTypeOf<{ sum: string }>();
  expect(result.structuredContent).toEqual({ sum: '2' });
  const other = z.object({ product: z.number() });
  await expect(tools(remote).call('add', { a: 1 }, { output: other })).rejects.toMatchObject({
    code: 'INVALID_RESULT',
    outcome: 'answered',
  });
});

it('offers of tools merge, fixed and live ones, with all changes announced', async () => {
  const live = new BehaviorSubject<readonly Tool[]>([tool('a', () => 'a')]);
  const merged = defineServer({ info, offers: [offerTools([ping]), offerTools(live), offerTools([add])] });
  const { remote } = await connectedPair({ server: merged, onCleanup: onTestFinished });
  const names = async () => (await tools(remote).list()).map(({ name }) => name);
  expect(await names()).toEqual(['ping', 'a', 'add']);
  live.next([tool('b', () => 'b'), tool('c', () => 'c')]);
  expect(await names()).toEqual(['ping', 'b', 'c', 'add']);
  expect(textOf(await tools(remote).call('c'))).toBe('c');
  expect(remote.capabilities).toMatchObject({ tools: { listChanged: true } });
});

it('two offers with the same tool, or different options, are rejected', () => {
  expect(() => defineServer({ info, offers: [offerTools([add]), offerTools([add])] })).toThrow(
    new TypeError('two of tools are called "add"'),
  );
  expect(() =>
    defineServer({ info, offers: [offerTools([add], { pageSize: 1 }), offerTools([ping], { pageSize: 2 })] }),
  ).toThrow(new TypeError('"tools" is offered twice with a different "pageSize". Use the same for both'));
});
