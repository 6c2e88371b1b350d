import { describe, expect, it } from 'vitest';
import { RxmcpError, RpcError, defineClient } from '../../src/index.js';
import { defineOffer, getRemoteLink } from '../../src/internal.js';
import { rawClient } from '../rig/raw-client.js';
import { connected, rawServer } from '../rig/raw-server.js';
import type { Revision } from '../rig/revisions.js';
import { legacy, revisions, speaking } from '../rig/revisions.js';

const info = {
  name: 'n',
  version: '1',
  title: 'T',
  description: 'd',
  websiteUrl: 'https://a.example',
  icons: [{ src: 'https://a.example/i.png' }],
};
const infoOf = (version: string): object => {
  const { name, title } = info;
  if (version < '2025-06-18') return { name, version: '1' };
  return version < '2025-11-25' ? { name, version: '1', title } : info;
};

describe.each(legacy)('the handshake of %s', (version) => {
  const offered = { completions: {}, tools: { listChanged: true }, logging: {}, experimental: { x: {} } };

  it('describes the server in members that the revision knows', async () => {
    const all = defineOffer({ name: 'all', side: 'server', capabilities: offered });
    const { result } = await rawClient([all], { info, instructions: 'i' }).shake(version);
    const { completions: _later, ...older } = offered;
    expect(result).toEqual({
      protocolVersion: version,
      serverInfo: infoOf(version),
      capabilities: version === '2024-11-05' ? older : offered,
      instructions: 'i',
    });
  });

  const declared = {
    roots: { listChanged: true },
    sampling: { tools: {}, context: {} },
    elicitation: { form: {}, url: {} },
    experimental: { x: {} },
  };
  const hello = async (capabilities: object): Promise<Record<string, unknown>> => {
    const server = rawServer(() => undefined, { era: 'legacy', version });
    const offer = defineOffer({ name: 'all', side: 'client', capabilities: { ...capabilities } });
    await connected(server, { info, offers: [offer], versions: [version] });
    return server.pipes[0]?.sent.find(({ method }) => method === 'initialize')?.params ?? {};
  };

  it('describes the client in members that the revision knows', async () => {
    const told: Record<string, object> = {
      '2024-11-05': { roots: declared.roots, sampling: {}, experimental: { x: {} } },
      '2025-03-26': { roots: declared.roots, sampling: {}, experimental: { x: {} } },
      '2025-06-18': { roots: declared.roots, sampling: {}, elicitation: {}, experimental: { x: {} } },
      '2025-11-25': declared,
    };
    expect(await hello(declared)).toEqual({
      protocolVersion: version,
      clientInfo: infoOf(version),
      capabilities: told[version],
    });
  });

  it('declares no forms where a client has pages only', async () => {
    const { capabilities } = await hello({ elicitation: { url: {} } });
    expect(capabilities).toEqual(version === '2025-11-25' ? { elicitation: { url: {} } } : {});
    const bare = (await hello({ elicitation: {} })).capabilities;
    expect(bare).toEqual(version < '2025-06-18' ? {} : { elicitation: {} });
  });

  it('reports whether completion is available: 2024-11-05 has no capability for that', async () => {
    const remote = await connected(rawServer(() => undefined, { era: 'legacy', version }));
    expect(getRemoteLink(remote).has('completions')).toBe(version === '2024-11-05');
  });
});

it('a client that is answered with an older revision speaks that one', async () => {
  const server = rawServer(() => ({ result: {} }), { era: 'legacy', version: '2024-11-05' });
  const remote = await defineClient({ info }).connect(server);
  expect(remote.version).toBe('2024-11-05');
  await remote.close();
});

describe('failures that are reported with the codes of the revision', () => {
  it.each(revisions)('SEP-1303 and row 61: %s', async (version) => {
    const { ask } = await speaking(version, {
      'tools/call': () => {
        throw new RxmcpError('INVALID_ARGUMENTS', 'wrong');
      },
      'resources/read': () => {
        throw new RxmcpError('RESOURCE_NOT_FOUND', 'no', { data: { uri: 'a:b' } });
      },
    });
    const { result, error } = await ask('tools/call');
    if (version < '2025-11-25') expect(error).toEqual({ code: -32602, message: 'wrong' });
    else expect(result).toMatchObject({ content: [{ type: 'text', text: 'wrong' }], isError: true });
    const code = version === '2026-07-28' ? -32602 : -32002;
    expect((await ask('resources/read')).error).toEqual({ code, message: 'no', data: { uri: 'a:b' } });
  });
});

describe('codes that a revision does not have, when a handler met them elsewhere', () => {
  const codes: [code: number, seen: Record<Revision, number>][] = [
    [
      -32042,
      {
        '2024-11-05': -32603,
        '2025-03-26': -32603,
        '2025-06-18': -32603,
        '2025-11-25': -32042,
        '2026-07-28': -32603,
      },
    ],
    [
      -32002,
      {
        '2024-11-05': -32002,
        '2025-03-26': -32002,
        '2025-06-18': -32002,
        '2025-11-25': -32002,
        '2026-07-28': -32602,
      },
    ],
    [
      -32602,
      {
        '2024-11-05': -32602,
        '2025-03-26': -32602,
        '2025-06-18': -32602,
        '2025-11-25': -32602,
        '2026-07-28': -32602,
      },
    ],
  ];
  const rows = codes.flatMap(([code, seen]) =>
    revisions.map((version) => [code, version, seen[version]] as const),
  );

  it.each(rows)('%i is sent in %s as %i', async (code, version, told) => {
    const { ask } = await speaking(version, {
      'tools/call': () => {
        throw RpcError.fromResponse({ code, message: 'm', data: { a: 1 } });
      },
    });
    expect((await ask('tools/call')).error).toEqual({ code: told, message: 'm', data: { a: 1 } });
  });
});
