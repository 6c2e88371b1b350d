import { EMPTY, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { HeaderParamIndex } from '../../src/bridge/mirrored-params.js';
import { once } from '../../src/index.js';
import { approve, authorize, cache, rateLimit } from '../../src/interceptors/index.js';
import { spellings } from '../../src/interceptors/uri-spellings.js';
import { ListedTools } from '../../src/interceptors/listed-tools.js';
import { isDeclaredRepeatable } from '../../src/interceptors/retry/retry-policy.js';
import { getRemoteLink } from '../../src/internal.js';
import { joined } from '../bridge/joined.js';
import { drive, exchange, result } from '../interceptors/driven.js';
import { connected, rawServer } from '../rig/raw-server.js';
import { turn } from '../rig/turn.js';

const fits = 'a'.repeat(8_192);
const long = `${fits}a`;

describe('row 58: texts of a peer that are too long to be keys', () => {
  it.each(['name', 'uri'])('an entry of a list with a long "%s" is left out', async (key) => {
    const most = 'a'.repeat(16_382);
    const tools = [{ [key]: `${most}a` }, { [key]: most }, 1, null];
    const remote = await connected(rawServer(() => ({ result: { tools } }), { capabilities: { tools: {} } }));
    const faults: unknown[] = [];
    remote.faults$.subscribe(({ code }) => faults.push(code));
    const spec = { method: 'tools/list', member: 'tools', capability: 'tools', decode: (e: unknown) => e };
    expect(await once(getRemoteLink(remote).pages(spec))).toEqual([{ [key]: most }, 1, null]);
    expect(faults).toEqual(['INVALID_ENTRY']);
  });

  it('a result of a long URI or cursor is not cached', () => {
    const caching = cache();
    const owner = {};
    let count = 0;
    const ask = (method: string, params: Record<string, unknown>): unknown =>
      drive(caching, () => of(result({ n: ++count, ttlMs: 1_000 })), {
        method,
        params,
        owner,
        changes$: EMPTY,
      }).seen[0];
    for (const [method, key] of [
      ['resources/read', 'uri'],
      ['tools/list', 'cursor'],
    ] as const) {
      count = 0;
      expect([ask(method, { [key]: fits }), ask(method, { [key]: fits })]).toMatchObject([
        { n: 1 },
        { n: 1 },
      ]);
      expect([ask(method, { [key]: long }), ask(method, { [key]: long })]).toMatchObject([
        { n: 2 },
        { n: 3 },
      ]);
    }
  });

  it('long keys of a limit that begin alike share it', () => {
    const limited = rateLimit({ limit: 1, per: ({ params }) => params.key as string });
    const seen = (key: string): unknown => drive(limited, () => of(result()), { params: { key } }).seen[0];
    expect([seen(`${fits}1`), seen('1'), seen('2')]).toEqual([{}, {}, {}]);
    expect(seen(`${fits}2`)).toMatchObject({ code: 'TOO_MANY_CALLS' });
  });

  it('tools with long names are not learned', () => {
    const tool = (name: string): object => ({ name, title: name, annotations: { readOnlyHint: true } });
    const listed = { tools: [tool(long), tool(fits)] };
    const owner = {};
    const tools = new ListedTools();
    tools.learn(exchange({ method: 'tools/list', owner }), listed);
    const has = (name: string): boolean =>
      isDeclaredRepeatable(exchange({ method: 'tools/call', params: { name }, owner }), tools);
    expect([has(fits), has(long)]).toEqual([true, false]);

    const titles: unknown[] = [];
    const asking = approve({ confirm: ({ title }) => (titles.push(title), true) });
    drive(asking, () => of(result(listed)), { method: 'tools/list', owner });
    for (const name of [fits, long])
      drive(asking, () => of(result()), { method: 'tools/call', params: { name }, owner });
    expect(titles).toEqual([fits, undefined]);

    const headers = new HeaderParamIndex();
    const inputSchema = { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': 'A' } } };
    headers.learn({
      tools: [
        { name: long, inputSchema },
        { name: fits, inputSchema },
      ],
    });
    expect([headers.of(fits)?.length, headers.of(long)]).toEqual([1, undefined]);
  });

  it('a long URI is refused before rules and spellings of it are looked at', () => {
    const judged: number[] = [];
    const faults: unknown[] = [];
    const allow = (_caller: unknown, _kind: unknown, uri: string): boolean => judged.push(uri.length) > 0;
    const read = (uri: string): unknown =>
      drive(authorize({ allow, scopesFor: () => [] }), () => of(result()), {
        method: 'resources/read',
        params: { uri },
        fault: (fault) => faults.push(fault),
      }).seen[0];
    expect(read(fits)).toEqual({ cacheScope: 'private' });
    judged.length = 0;
    expect(read('%41'.repeat(100_000))).toMatchObject({
      code: 'INVALID_PARAMS',
      message: 'resources/read: a URI of 300000 characters is too long; at most 8192 are allowed',
    });
    expect([judged, faults]).toEqual([[], []]);
    expect(() => spellings(long)).toThrow('too long');
  });

  it('a bridge does not merge changes of long URIs', async () => {
    const { front, back } = await joined();
    front.stall();
    for (const uri of [fits.slice(100), fits.slice(100), long, long])
      back.put({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } });
    await turn();
    front.release();
    await turn();
    const uris = front.sent.map(({ params }) => (params as { uri: string }).uri.length);
    expect(uris.filter((length) => length === long.length)).toHaveLength(2);
    expect(uris.filter((length) => length < long.length)).toHaveLength(uris.length - 2);
  });
});
