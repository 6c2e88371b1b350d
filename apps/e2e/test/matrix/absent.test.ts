import { once } from 'rxmcp';
import { logging } from 'rxmcp/logging';
import { prompts } from 'rxmcp/prompts';
import { resources } from 'rxmcp/resources';
import { tools } from 'rxmcp/tools';
import type { Observable } from 'rxjs';
import { expect } from 'vitest';
import { each } from './harness.js';

each(
  'a missing ability of a server is not requested: lists are empty, calls fail',
  { server: 'basic' },
  async ({ connect }) => {
    const { remote, sent } = await connect();
    // The oldest revision completes without a word for it.
    const unspoken = remote.version === '2024-11-05' ? { completions: {} } : {};
    expect(remote.capabilities).toEqual({ ...unspoken, resources: {} });
    const opened = sent.length;
    expect(await once(tools(remote).list())).toEqual([]);
    expect(await once(prompts(remote).list())).toEqual([]);
    const calls: Observable<unknown>[] = [
      tools(remote).call('calculate_sum'),
      prompts(remote).get('git-commit'),
      logging(remote).setLevel('info'),
    ];
    for (const call of calls) {
      await expect(once(call)).rejects.toMatchObject({ code: 'CAPABILITY_NOT_SUPPORTED' });
    }
    expect(sent.slice(opened)).toEqual([]);
  },
);

each('a server without resources has none', { server: 'toolbox' }, async ({ connect }) => {
  const { remote, sent } = await connect();
  const opened = sent.length;
  expect(await once(resources(remote).list())).toEqual([]);
  expect(await once(resources(remote).templates())).toEqual([]);
  await expect(once(resources(remote).read('example://resource'))).rejects.toMatchObject({
    code: 'CAPABILITY_NOT_SUPPORTED',
  });
  expect(sent.slice(opened)).toEqual([]);
});

each('nothing is declared that was not offered', { server: 'basic' }, async ({ connect, era }) => {
  const { remote, sent } = await connect();
  await once(resources(remote).list());
  const { capabilities, _meta } = sent[0]?.['params'] as Record<string, Record<string, unknown> | undefined>;
  const declared = era === 'legacy' ? capabilities : _meta?.['io.modelcontextprotocol/clientCapabilities'];
  expect(declared).toEqual({});
});
