import { expect, it, onTestFinished, vi } from 'vitest';
import { defineServer } from '@rxmcp/core';
import type { ServerOptions } from '@rxmcp/core';
import { connectedPair } from '@rxmcp/testing';
import { memory } from '@rxmcp/memory';
import { defineClient } from '@rxmcp/core';
import { offerTools, textOf, tool, tools } from '../src/index.js';

const info = { name: 'test', version: '1.0.0' };
const failing = tool('read', ({ path }) => {
  throw new Error(`no file ${String(path)}`);
});
const called = async (exposeErrors: ServerOptions['exposeErrors'], args = { path: '/etc' }) => {
  const server = defineServer({
    info,
    offers: [offerTools([failing])],
    ...(exposeErrors === undefined ? {} : { exposeErrors }),
  });
  const pair = await connectedPair({ server, onCleanup: onTestFinished });
  return { text: textOf(await tools(pair.remote).call('read', args)), faults: pair.serverFaults };
};

it('clients read a general text with the reference of the fault, unless the server exposes errors', async () => {
  const { text, faults } = await called(undefined);
  expect(text).toMatch(/^Tool "read" failed \(reference [0-9a-f]{8}\)\.$/);
  expect(text).toContain(faults[0]?.reference);
  expect((await called(true)).text).toBe('no file /etc');
  expect((await called((error) => (error as Error).name)).text).toBe('Error');
});

it('a function that throws leaves the general text, and is reported', async () => {
  const { text, faults } = await called(() => {
    throw new Error('oops');
  });
  expect(text).toContain('(reference ');
  expect(faults.map(({ message }) => message)).toEqual([
    'tool "read" failed: no file /etc',
    '"exposeErrors" threw',
  ]);
});

it('a failed handler is printed once per message, with its stack, its reference and the option', async () => {
  const printed: string[] = [];
  const warn = vi.spyOn(console, 'warn').mockImplementation((text: string) => void printed.push(text));
  onTestFinished(() => warn.mockRestore());
  const link = memory();
  const handle = link.serve(defineServer({ info, offers: [offerTools([failing])] }));
  const remote = await defineClient({ info }).connect(link);
  const texts: string[] = [];
  for (const path of ['a', 'b', 'a']) texts.push(textOf(await tools(remote).call('read', { path })));
  await remote.close();
  await handle.close();
  expect(printed).toHaveLength(2);
  const [first = '', second = ''] = printed;
  const reference = /reference ([0-9a-f]{8})/.exec(texts[0] ?? '')?.[1];
  expect(first.split('\n')[0]).toBe(
    `rxmcp server "test": HANDLER_FAILED: tool "read" failed: no file a (reference ${reference}; the client reads only the reference without exposeErrors: true)`,
  );
  expect(first).toContain('exposed-errors.test.ts');
  expect(second).toContain('no file b');
});
