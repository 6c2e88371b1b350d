import { describe, expect, it } from 'vitest';
import { once } from '../../src/index.js';
import { connected, rawServer } from '../rig/raw-server.js';
import { turn } from '../rig/turn.js';

describe.each(['modern', 'legacy'] as const)('rows 19 and 20, %s: a response over the limits', (era) => {
  it.each([
    ['nests too deep', '['.repeat(200) + ']'.repeat(200)],
    ['holds too much', `[${'0,'.repeat(200_000)}0]`],
  ])('that %s ends its call at once, and no other', async (_what, value) => {
    const server = rawServer(
      ({ id, method }, wire) => {
        if (method === 'x/bad') wire.putText(`{"jsonrpc":"2.0","id":${String(id)},"result":{"x":${value}}}`);
        return method === 'x/good' ? { result: { fine: true } } : undefined;
      },
      { era },
    );
    const remote = await connected(server);
    const faults: string[] = [];
    remote.faults$.subscribe(({ code }) => faults.push(code));
    const bad = once(remote.request('x/bad')).catch((error: unknown) => error);
    const good = once(remote.request('x/good'));
    await turn();
    expect(await bad).toMatchObject({ code: 'PROTOCOL_ERROR', outcome: 'unknown' });
    expect(await good).toMatchObject({ fine: true });
    expect(faults).toEqual(['INVALID_MESSAGE']);
  });
});
