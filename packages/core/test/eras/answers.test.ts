import { describe, expect, it } from 'vitest';
import { RxmcpError } from '../../src/index.js';
import { askingTool } from '../rig/asking-tool.js';
import type { RawClient } from '../rig/raw-client.js';
import { rawClient } from '../rig/raw-client.js';

const heard: unknown[] = [];
/** A tool that checks its client's answer as the primitives do. */
const tool = askingTool(async (ask) => {
  const answer = await ask().catch((error: unknown) => {
    heard.push(error);
    throw error;
  });
  if (Array.isArray(answer.roots)) return { answer };
  throw new RxmcpError('INVALID_ANSWER', 'the answer to "a" is invalid: "roots" is no array');
});

const asked = async (client: RawClient): Promise<unknown> => {
  await client.shake('2025-11-25', { roots: {} });
  client.put({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} });
  return (await client.take()).find(({ method }) => method === 'roots/list')?.id;
};

describe('row 67: an answer to an ask that does not match it', () => {
  it('is reported to a modern client, and is not a fault of the server', async () => {
    const client = rawClient([tool]);
    const first = await client.modern(1, 'tools/call', {}, { roots: {} });
    const { requestState } = first.result as { requestState: string };
    const retry = { requestState, inputResponses: { a: { roots: 'all' } } };
    const { error } = await client.modern(2, 'tools/call', retry, { roots: {} });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('"roots" is no array') });
    expect(client.faults).toEqual([]);
  });

  it('is reported to a client of an older revision, and is not a fault of the server', async () => {
    const client = rawClient([tool]);
    client.put({ jsonrpc: '2.0', id: await asked(client), result: { roots: 'all' } });
    const response = (await client.take()).find(({ id }) => id === 1);
    expect(response?.error).toMatchObject({ code: -32602, message: expect.stringContaining('no array') });
    expect(client.faults).toEqual([]);
  });

  it.each([{ result: [] }, { result: {}, error: { code: 1, message: 'x' } }, {}])(
    'ends the ask at once on an invalid answer: %j',
    async (body) => {
      heard.length = 0;
      const client = rawClient([tool]);
      client.put({ jsonrpc: '2.0', id: await asked(client), ...body });
      const response = (await client.take()).find(({ id }) => id === 1);
      expect(response?.error).toMatchObject({ code: -32602, message: expect.stringContaining('roots/list') });
      expect(heard).toMatchObject([{ code: 'INVALID_ANSWER', outcome: 'answered' }]);
    },
  );
});
