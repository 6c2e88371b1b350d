import { expect, it } from 'vitest';
import { RxmcpError } from '../../src/index.js';
import { authorize } from '../../src/interceptors/index.js';
import { defineOffer } from '../../src/internal.js';
import type { Frame } from '../rig/pipe.js';
import { modernMeta, rawClient } from '../rig/raw-client.js';
import { turn } from '../rig/turn.js';

const traits = { lanes: 'per-request', idScope: 'lane', carriesHeaders: true } as const;
const known = new Set(['seen', 'hidden']);
const offer = defineOffer({
  name: 'tools',
  side: 'server',
  capabilities: { tools: {} },
  methods: [
    {
      method: 'tools/call',
      handle: ({ name }) => {
        if (!known.has(name as string))
          throw new RxmcpError('INVALID_PARAMS', `unknown tool "${String(name)}"`);
        return { content: [] };
      },
      headerParams: ({ name }) =>
        known.has(name as string) ? [{ header: 'region', path: ['arguments', 'region'] }] : [],
    },
  ],
});

it('a hidden tool that requires parameters in headers answers like an unknown tool', async () => {
  const interceptors = [authorize({ allow: (_caller, _kind, item) => item !== 'hidden' })];
  const client = rawClient([offer], { traits, interceptors });
  const ask = async (name: string): Promise<[Frame | undefined, unknown]> => {
    const params = { name, arguments: { region: 'eu' }, _meta: modernMeta() };
    const mirror = { version: '2026-07-28', method: 'tools/call', name };
    client.putOn({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { lane: {}, headers: mirror });
    await turn();
    return [client.sent.at(-1), client.envelopes.at(-1)?.rejection];
  };
  expect(await ask('seen')).toMatchObject([{ error: { code: -32020 } }, 'header-mismatch']);
  const none = (name: string) => ({ code: -32602, message: `unknown tool "${name}"` });
  expect(await ask('hidden')).toEqual([expect.objectContaining({ error: none('hidden') }), undefined]);
  expect(await ask('nothing')).toEqual([expect.objectContaining({ error: none('nothing') }), undefined]);
});
