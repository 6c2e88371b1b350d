import { describe, expect, it } from 'vitest';
import { RxmcpError, once, RpcError } from '../../src/index.js';
import { askingTool } from '../rig/asking-tool.js';
import { rawClient } from '../rig/raw-client.js';
import { connected, rawServer } from '../rig/raw-server.js';
import { roots } from '../rig/roots.js';
import { turn } from '../rig/turn.js';

const asks = () =>
  rawServer(({ method }) => {
    if (method !== 'tools/call') return undefined;
    return { result: { resultType: 'input_required', inputRequests: { a: { method: 'roots/list' } } } };
  });

describe('a rejected ask counts as answered: it must not be sent again', () => {
  it.each([
    ['the user', () => Promise.reject(new RxmcpError('ASK_REJECTED', 'no'))],
    ['a handler that throws an error of its own', () => Promise.reject(new Error('no'))],
    ['a handler that answers with a code', () => Promise.reject(new RpcError(-1, 'no'))],
    [
      'a handler that throws at once',
      () => {
        throw new RxmcpError('ASK_REJECTED', 'no');
      },
    ],
  ])('by %s, in the modern era', async (_name, handle) => {
    const remote = await connected(asks(), { offers: [roots(handle)] });
    const error: unknown = await once(remote.request('tools/call')).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'ASK_REJECTED', outcome: 'answered', retryable: false });
  });

  it('by a client without a handler for it, in the modern era', async () => {
    const remote = await connected(asks());
    const error: unknown = await once(remote.request('tools/call')).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'ASK_REJECTED', outcome: 'answered' });
  });

  it('by the user of a client of an older revision', async () => {
    let heard: unknown;
    const tool = askingTool(async (ask) => {
      await ask().catch((error: unknown) => (heard = error));
      return {};
    });
    const client = rawClient([tool]);
    await client.shake('2025-11-25', { roots: {} });
    client.put({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} });
    const asked = (await client.take()).find(({ method }) => method === 'roots/list')?.id;
    client.put({ jsonrpc: '2.0', id: asked, error: { code: -1, message: 'no' } });
    await turn();
    expect(heard).toMatchObject({ code: 'ASK_REJECTED', outcome: 'answered' });
  });
});
