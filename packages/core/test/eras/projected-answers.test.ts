import { describe, expect, it } from 'vitest';
import type { RpcError } from '../../src/index.js';
import { once } from '../../src/index.js';
import { defineOffer } from '../../src/internal.js';
import type { Frame } from '../rig/pipe.js';
import { connected, rawServer } from '../rig/raw-server.js';
import { legacy } from '../rig/revisions.js';
import { turn } from '../rig/turn.js';

const answering = (method: string, value: object) =>
  defineOffer({
    name: 'x',
    side: 'client',
    capabilities: {},
    methods: [{ method, handle: () => ({ ...value }) }],
  });

/** What a server of a revision is answered. */
async function answered(
  version: string,
  method: string,
  value: object,
): Promise<Frame & { codes: string[] }> {
  const server = rawServer(() => undefined, { era: 'legacy', version });
  const remote = await connected(server, { offers: [answering(method, value)] });
  const codes: string[] = [];
  remote.faults$.subscribe(({ code }) => codes.push(code));
  const [wire] = server.pipes;
  wire?.put({ jsonrpc: '2.0', id: 'q', method, params: {} });
  await turn();
  return { ...wire?.sent.find(({ id, method: asked }) => id === 'q' && asked === undefined), codes };
}

describe('a completion of a client', () => {
  const text = (value: string, more: object = {}) => ({ type: 'text', text: value, ...more });
  const sound = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' };
  const given = (content: unknown) => ({ role: 'assistant', model: 'm', content });
  const told = async (version: string, content: unknown): Promise<unknown> =>
    (await answered(version, 'sampling/createMessage', given(content))).result?.['content'];

  it.each(legacy)('of one block, alone or in a list: %s', async (version) => {
    expect(await told(version, text('a'))).toEqual(text('a'));
    expect(await told(version, [text('a')])).toEqual(version === '2025-11-25' ? [text('a')] : text('a'));
  });

  it('of several texts is one text before 2025-11-25', async () => {
    const several = [text('a'), text('b', { annotations: { priority: 1 } })];
    for (const version of legacy.slice(0, 3)) expect(await told(version, several)).toEqual(text('a\nb'));
    expect(await told('2025-11-25', several)).toEqual(several);
  });

  it('has neither _meta nor lastModified before 2025-06-18', async () => {
    const dated = text('a', { _meta: { x: 1 }, annotations: { priority: 1, lastModified: 'y' } });
    for (const version of legacy.slice(0, 2))
      expect(await told(version, dated)).toEqual(text('a', { annotations: { priority: 1 } }));
    for (const version of legacy.slice(2)) expect(await told(version, dated)).toEqual(dated);
  });

  it.each<[string, unknown, number]>([
    ['sound', sound, 1],
    ['several blocks', [text('a'), sound], 3],
    ['tools', [{ type: 'tool_use', id: '1', name: 't', input: {} }], 3],
  ])('with %s is not cut in half where the revision has no member for it', async (what, content, known) => {
    for (const version of legacy.slice(0, known)) {
      const { error, codes } = await answered(version, 'sampling/createMessage', given(content));
      expect(error).toMatchObject({ code: -32603, message: expect.stringMatching(version) });
      expect(codes).toEqual(['HANDLER_FAILED']);
    }
    for (const version of legacy.slice(known)) expect(await told(version, content), what).toEqual(content);
  });
});

it.each(legacy)('roots that a client sends in %s', async (version) => {
  const root = { uri: 'file:///a', name: 'a', _meta: { x: 1 } };
  const { result } = await answered(version, 'roots/list', { roots: [root] });
  const { _meta, ...plain } = root;
  expect(result).toEqual({ roots: [version < '2025-06-18' ? plain : root] });
});

it.each(legacy)(
  'a completion that a client asks %s for has no context before 2025-06-18',
  async (version) => {
    const server = rawServer(() => ({ result: { completion: { values: [] } } }), { era: 'legacy', version });
    const remote = await connected(server);
    const params = {
      ref: { type: 'ref/prompt', name: 'p', title: 'P' },
      argument: { name: 'a', value: 'x' },
      context: { arguments: { b: 'y' } },
    };
    await once(remote.request('completion/complete', params));
    const { _meta, ...sent } = server.calls()[0]?.params ?? {};
    const { context: _context, ...rest } = params;
    expect(sent).toEqual(
      version < '2025-06-18' ? { ...rest, ref: { type: 'ref/prompt', name: 'p' } } : params,
    );
  },
);

describe('an error that names pages to visit', () => {
  const page = { mode: 'url', elicitationId: 'e', url: 'https://a.example/', message: 'm' };
  const failed = async (data: unknown, code = -32042): Promise<RpcError> => {
    const server = rawServer(() => ({ error: { code, message: 'visit', data } }), { era: 'legacy' });
    const remote = await connected(server);
    return once(remote.request('x/y')).then(
      () => expect.unreachable(),
      (error: unknown) => error as RpcError,
    );
  };

  it('has them', async () => {
    const error = await failed({ elicitations: [page, { ...page, elicitationId: 'f' }] });
    expect(error).toMatchObject({ code: -32042, message: 'visit', outcome: 'answered' });
    expect(error.elicitations?.map(({ elicitationId }) => elicitationId)).toEqual(['e', 'f']);
  });

  it.each<[string, unknown, number]>([
    ['nothing', undefined, 0],
    ['no list', { elicitations: 'x' }, 0],
    ['odd ones', { elicitations: [null, 7, { ...page, mode: 'form' }, { ...page, url: 7 }, page] }, 1],
    ['a hundred', { elicitations: Array.from({ length: 100 }, () => page) }, 64],
  ])('has those of %s that are valid, and a bounded number of them', async (_what, data, count) => {
    expect((await failed(data)).elicitations).toHaveLength(count);
  });

  it('is one of its own code only', async () => {
    expect((await failed({ elicitations: [page] }, -32602)).elicitations).toBeUndefined();
  });
});
