import { finalize, NEVER } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { offerMethod } from '../../src/index.js';
import { modernMeta, rawClient } from '../rig/raw-client.js';
import { turn } from '../rig/turn.js';

const echo = offerMethod('x/echo', {}, (params) => ({ params }));
const never = offerMethod('x/never', {}, () => NEVER);

const request = (id: unknown, method: string, params: object = {}): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { ...params, _meta: modernMeta() },
});
const cancel = (requestId: unknown): object => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});

describe('row 14 and 16: ids', () => {
  it.each([0, '', 1, '1', -5, 'a b', Number.MAX_SAFE_INTEGER])(
    '%j is an id and is returned unchanged',
    async (id) => {
      const client = rawClient([echo]);
      expect((await client.modern(id, 'x/echo')).id).toBe(id);
    },
  );

  it.each([null, 1.5, {}, [], true, 1e300, 'x'.repeat(10_000)])(
    'rejects the invalid id %j without an id',
    async (id) => {
      const client = rawClient([echo]);
      client.put(request(id, 'x/echo'));
      const [response] = await client.take();
      expect(response?.error?.code).toBe(-32600);
      expect(response).not.toHaveProperty('id');
      expect(await client.modern(1, 'x/echo')).toHaveProperty('result');
    },
  );

  it('a session of an older revision gets a null id instead', async () => {
    const client = rawClient([echo]);
    await client.shake('2025-06-18');
    await client.take();
    client.put({ jsonrpc: '2.0', id: 1.5, method: 'ping' });
    expect((await client.take())[0]).toMatchObject({ id: null, error: { code: -32600 } });
  });

  it('1 and "1" are in flight together', async () => {
    const client = rawClient([never, echo]);
    client.put(request(1, 'x/never'));
    expect((await client.modern('1', 'x/echo')).id).toBe('1');
    expect(client.faults).toEqual([]);
  });

  it.each([
    [1, '1'],
    ['1', 1],
    [0, ''],
    ['', 0],
  ])('%j in flight is not %j: neither taken for it nor cancelled by it', async (flying, other) => {
    let torn = 0;
    const hang = offerMethod('x/hang', {}, () => NEVER.pipe(finalize(() => void (torn += 1))));
    const client = rawClient([hang, echo]);
    client.put(request(flying, 'x/hang'));
    client.put(cancel(other));
    expect(await client.modern(other, 'x/echo')).toHaveProperty('result');
    expect([torn, client.faults]).toEqual([0, []]);
  });

  it.each([0, '', '0'])('cancel finds %j and no other', async (id) => {
    let torn: unknown[] = [];
    const hang = offerMethod('x/hang', {}, (params) =>
      NEVER.pipe(finalize(() => void (torn = [...torn, params.n]))),
    );
    const client = rawClient([hang]);
    const ids = [0, '', '0', 1, '1'];
    for (const n of ids) client.put(request(n, 'x/hang', { n }));
    client.put(cancel(id));
    await turn();
    expect(torn).toEqual([id]);
  });
});

describe('row 43: an id that is in flight already', () => {
  it('is a fault, is refused without an id, and the first is answered', async () => {
    let finish: (value: object) => void = () => undefined;
    const slow = offerMethod(
      'x/slow',
      {},
      () => new Promise<Record<string, unknown>>((r) => (finish = r as never)),
    );
    const client = rawClient([slow, echo]);
    client.put(request(7, 'x/slow'));
    client.put(request(7, 'x/echo'));
    const [refused] = await client.take();
    expect(refused).toMatchObject({ error: { code: -32600 } });
    expect(refused).not.toHaveProperty('id');
    expect(client.faults.map((f) => f.code)).toEqual(['DUPLICATE_ID']);
    finish({ done: 1 });
    expect(await client.take()).toMatchObject([{ id: 7, result: { done: 1 } }]);
  });

  it('may be used again after its end, and after a cancel', async () => {
    const client = rawClient([never, echo]);
    await client.modern(7, 'x/echo');
    client.put(request(7, 'x/never'));
    client.put(cancel(7));
    expect(await client.modern(7, 'x/echo')).toHaveProperty('result');
    expect(client.faults).toEqual([]);
  });

  it('keeps its id where every request has a stream of its own', async () => {
    const client = rawClient([never], { traits: { lanes: 'per-request' } });
    client.put(request(7, 'x/never'));
    client.put(request(7, 'x/never'));
    expect(await client.take()).toMatchObject([{ id: 7, error: { code: -32600 } }]);
  });
});

describe('unknown methods and capabilities', () => {
  it('row 33: a method is refused, also one named like a member of every object', async () => {
    const client = rawClient([echo]);
    for (const method of ['x/none', '__proto__', 'constructor', 'toString', ''])
      expect((await client.modern(1, method)).error?.code).toBe(-32601);
  });

  it('a huge method name is returned shortened', async () => {
    const client = rawClient([echo]);
    const { error } = await client.modern(1, 'm'.repeat(100_000));
    expect(error?.code).toBe(-32601);
    expect(error?.message.length).toBeLessThan(300);
  });

  it('a notification is a fault and gets no response', async () => {
    const client = rawClient([echo]);
    client.put({ jsonrpc: '2.0', method: 'x/none' });
    expect(await client.take()).toEqual([]);
    expect(client.faults.map((f) => f.code)).toEqual(['UNKNOWN_NOTIFICATION']);
  });

  it('row 48: a cancel of nothing, of something finished, of no id is ignored', async () => {
    const client = rawClient([echo]);
    await client.modern(1, 'x/echo');
    for (const id of [1, 99, 'x', null, {}, undefined]) client.put(cancel(id));
    client.put({ jsonrpc: '2.0', method: 'notifications/cancelled' });
    await turn();
    expect(client.faults).toEqual([]);
    expect(await client.modern(2, 'x/echo')).toHaveProperty('result');
  });

  it('rows 44 and 45: an unexpected response is a fault, and the connection lives', async () => {
    const client = rawClient([echo]);
    client.put({ jsonrpc: '2.0', id: 5, result: {} });
    client.put({ jsonrpc: '2.0', id: 'x', error: { code: -1, message: 'no' } });
    expect(await client.modern(1, 'x/echo')).toHaveProperty('result');
    expect(client.faults.map((f) => f.code)).toEqual(['UNKNOWN_RESPONSE', 'UNKNOWN_RESPONSE']);
  });

  it('an error without an id ends no call', async () => {
    const client = rawClient([echo]);
    client.put({ jsonrpc: '2.0', error: { code: -32700, message: 'what?' } });
    expect(await client.take()).toEqual([]);
    expect(client.faults.map((f) => f.code)).toEqual(['PEER_ERROR']);
  });
});

describe('rows 12 and 15: broken messages', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":1,', -32700],
    ['nonsense', -32700],
    ['17', -32600],
    ['"x"', -32600],
    ['null', -32600],
    ['[]', -32600],
    ['{"jsonrpc":"1.0","id":1,"method":"x/echo"}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"x/echo","params":[1]}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"x/echo","result":{}}', -32600],
    ['{"jsonrpc":"2.0","id":1,"id":2,"method":"x/echo"}', -32600],
  ])('%s is answered with %i, then a ping works', async (text, code) => {
    const client = rawClient([echo]);
    client.putText(text);
    const responses = await client.take();
    expect(responses.map((a) => a.error?.code)).toEqual([code]);
    expect(await client.ask({ id: 9, method: 'ping' })).toMatchObject({ result: {} });
  });
});

it('row 18: members named __proto__ are data like any other', async () => {
  const client = rawClient([echo]);
  const poison = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}}}';
  const meta = JSON.stringify(modernMeta()).slice(1, -1);
  client.putText(
    `{"jsonrpc":"2.0","id":1,"method":"x/echo","params":{"a":${poison},"__proto__":{"polluted":3},"_meta":{${meta},"__proto__":{"polluted":4}}}}`,
  );
  const [response] = await client.take();
  const text = JSON.stringify(response);
  expect(text).toContain('"__proto__":{"polluted":3}');
  expect(text).toContain('"__proto__":{"polluted":1}');
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

it("row 18: the prototype of a client's object declares no capability", async () => {
  const offer = offerMethod('x/needs', {}, (_params, ctx) => {
    (ctx as never as { require(needs: object): void }).require({ constructor: {} });
    return {};
  });
  const client = rawClient([offer]);
  expect((await client.modern(1, 'x/needs')).error?.code).toBe(-32021);
});
