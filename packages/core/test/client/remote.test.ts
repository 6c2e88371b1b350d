import { describe, expect, it } from 'vitest';
import type { StandardSchema } from '../../src/index.js';
import { once } from '../../src/index.js';
import { getRemoteLink } from '../../src/internal.js';
import { connected, rawServer } from '../rig/raw-server.js';

const capabilities = { tools: { listChanged: true }, prompts: {}, odd: 1 };
const serverInfo = { name: 'raw', version: '7' };

/** A server that says what it is in the era, and echoes. */
function described(isModern: boolean) {
  const own = { capabilities, instructions: 'Be kind.' };
  return rawServer(
    ({ method, params }) => {
      if (method === 'server/discover') {
        if (!isModern) return { error: { code: -32601, message: 'what?' } };
        const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo };
        return { result: { resultType: 'complete', supportedVersions: ['2026-07-28'], ...own, _meta } };
      }
      if (method === 'initialize') return { result: { protocolVersion: '2025-11-25', serverInfo, ...own } };
      return { result: { n: params?.['n'] } };
    },
    { era: 'own' },
  );
}

describe.each([
  ['modern', true, '2026-07-28'],
  ['legacy', false, '2025-11-25'],
])('%s: a remote', (_era, isModern, version) => {
  it('has what its server says about itself', async () => {
    const remote = await connected(described(isModern));
    const { info, instructions } = remote;
    expect({ info, instructions, version: remote.version }).toEqual({
      info: serverInfo,
      instructions: 'Be kind.',
      version,
    });
    expect(remote.capabilities).toEqual(capabilities);
    const { has } = getRemoteLink(remote);
    expect([has('tools'), has('tools', 'listChanged'), has('prompts', 'listChanged')]).toEqual([
      true,
      true,
      false,
    ]);
    expect([has('resources'), has('odd')]).toEqual([false, false]);
  });

  it('notifies its server, and cannot once it is closed', async () => {
    const server = described(isModern);
    const remote = await connected(server);
    await remote.notify('x/told', { n: 1 });
    expect(server.pipes[0]?.sent.at(-1)).toMatchObject({ method: 'x/told', params: { n: 1 } });
    await remote.close();
    await expect(remote.notify('x/told')).rejects.toMatchObject({
      code: 'CLOSED',
      message: '"x/told" not sent: the remote is not open',
    });
  });

  it('checks a result with a schema, which may take its time', async () => {
    const remote = await connected(described(isModern));
    const schema = (isLate: boolean): StandardSchema<unknown, number> => ({
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value) => {
          const { n } = value as { n: unknown };
          const found = typeof n === 'number' ? { value: n } : { issues: [{ message: 'n is no number' }] };
          return isLate ? Promise.resolve(found) : found;
        },
      },
    });
    for (const isLate of [false, true]) {
      expect(await once(remote.request('x/y', { n: 1 }, { schema: schema(isLate) }))).toBe(1);
      await expect(once(remote.request('x/y', { n: '1' }, { schema: schema(isLate) }))).rejects.toMatchObject(
        {
          code: 'INVALID_RESULT',
          message: expect.stringContaining('n is no number') as string,
        },
      );
    }
  });
});
