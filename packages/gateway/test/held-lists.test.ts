import type { Offer } from '@rxmcp/core';
import type { PreparedResult } from '@rxmcp/core/internal';
import { once } from '@rxmcp/core';
import { prompts } from '@rxmcp/prompts';
import { resources } from '@rxmcp/resources';
import { tools } from '@rxmcp/tools';
import { firstValueFrom } from 'rxjs';
import { expect, it } from 'vitest';
import { inOwnProcess } from '../../../vitest.process.js';
import { offerRemote } from '../src/index.js';
import { innerServer } from './inner.js';
import { connected, legacy, modern, served } from './rig.js';

const entriesOf = async (offers: readonly Offer[], method: string): Promise<readonly object[]> => {
  const handle = offers.flatMap(({ methods = [] }) => methods).find((one) => one.method === method)?.handle;
  const { value } = (await handle?.({}, {} as never)) as PreparedResult;
  return Object.values(value).find(Array.isArray) as readonly object[];
};

it('the entries of lists are those of the client of the other server, not copies', async () => {
  const inner = await connected(served('inner', innerServer().offers), modern);
  const offers = offerRemote(inner, { prefix: 'a' });
  const remote = await connected(served('gateway', offers), modern);
  await once(tools(remote).list());
  const [tool] = await firstValueFrom(tools(inner).list$);
  const [prompt] = await firstValueFrom(prompts(inner).list$);
  const [resource] = await firstValueFrom(resources(inner).list$);
  const [template] = await firstValueFrom(resources(inner).templates$);
  const [offeredTool] = await entriesOf(offers, 'tools/list');
  const [offeredPrompt] = await entriesOf(offers, 'prompts/list');
  // Of a renamed entry, only the object with the name is another one.
  for (const member of ['inputSchema', 'outputSchema', 'annotations', '_meta'] as const)
    expect(offeredTool?.[member as never]).toBe(tool?.[member]);
  expect(offeredPrompt?.['arguments' as never]).toBe(prompt?.arguments);
  expect((await entriesOf(offers, 'resources/list'))[0]).toBe(resource);
  expect((await entriesOf(offers, 'resources/templates/list'))[0]).toBe(template);
});

it('a list is held once, and once more as the response to each revision in use', async () => {
  const fixture = new URL('./fixtures/held-texts.ts', import.meta.url);
  const times = await inOwnProcess<number>(fixture, legacy, modern, modern);
  expect(Math.round(times)).toBe(3);
});
