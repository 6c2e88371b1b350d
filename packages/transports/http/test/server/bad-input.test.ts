import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { listening, messagesIn, modern, post, request, usual } from './calls.js';
import { greet, type Rig, rigs } from './fixtures.js';

// Many exchanges each: where the machine is busy that takes longer than usual.

const valid = JSON.stringify(request('echo', { text: 'é \u{1f600}', list: [1, { a: null }] }));

describe.each(rigs)('bad input $name', ({ serve }) => {
  let rig: Rig;

  beforeAll(async () => {
    rig = await serve({ maxMessageBytes: 64 * 1024 });
  });
  afterAll(() => rig.close());
  // Whatever came before, the next request is served.
  afterEach(async () => {
    expect((await rig.ask(modern('echo'))).status).toBe(200);
    expect({}).not.toHaveProperty('polluted');
  });

  async function refused(body: BodyInit, code: number, headers: Record<string, string> = {}): Promise<void> {
    const response = await rig.ask({ method: 'POST', headers: { ...usual, ...headers }, body });
    expect([String(body).slice(0, 60), response.status]).toEqual([String(body).slice(0, 60), 400]);
    const { error, ...rest } = (await response.json()) as { error: { code: number } };
    expect([error.code, rest]).toEqual([code, { jsonrpc: '2.0' }]);
  }

  it('row 10: malformed JSON, cut at every place', async () => {
    for (let end = 0; end < valid.length; end += 1) await refused(valid.slice(0, end), -32700);
    for (const body of [`${valid}}`, valid.replaceAll('"', "'"), '{"a":01}', 'NaN', '{,}'])
      await refused(body, -32700);
  });

  it('row 11: JSON that is not an object', async () => {
    for (const body of ['1', '"x"', 'null', 'true', '[]', '[[]]', '[1]', '0.5']) await refused(body, -32600);
  });

  it('row 6: invalid UTF-8', async () => {
    const around = (...bytes: number[]): Uint8Array<ArrayBuffer> =>
      Uint8Array.from([...Buffer.from('{"jsonrpc":"2.0","method":"'), ...bytes, ...Buffer.from('"}')]);
    for (const body of [
      around(0xff),
      around(0xfe),
      around(0xc0, 0x80),
      around(0xed, 0xa0, 0x80),
      around(0xe2, 0x82),
    ]) {
      await refused(body, -32700);
    }
    const kept = await rig.ask(modern('echo', { text: '\ufffd' }));
    expect(await kept.json()).toMatchObject({ result: { echo: { text: '\ufffd' } } });
  });

  it('row 7: a byte order mark at the start is not part of the text, elsewhere it is an error', async () => {
    const init = modern('echo');
    expect((await rig.ask({ ...init, body: `\ufeff${String(init.body)}` })).status).toBe(200);
    await refused(`\ufeff\ufeff${valid}`, -32700);
    await refused(`${valid}\ufeff`, -32700);
  });

  it('row 14: rejects invalid ids', async () => {
    for (const id of [
      'null',
      '1.5',
      '{}',
      '[]',
      'true',
      '1e309',
      '9007199254740993',
      `"${'a'.repeat(10_000)}"`,
    ]) {
      await refused(`{"jsonrpc":"2.0","id":${id},"method":"echo"}`, -32600);
    }
    for (const id of [0, '', -1, 'a'.repeat(256)]) {
      expect(await (await rig.ask(modern('echo', {}, id))).json()).toMatchObject({ id });
    }
  });

  it('rows 17 and 19: members named twice, and what nests too deep', async () => {
    await refused('{"jsonrpc":"2.0","id":1,"id":2,"method":"echo"}', -32600);
    await refused(
      `{"jsonrpc":"2.0","method":"echo","params":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
      -32600,
    );
    const twice = await rig.ask(post('{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}'));
    expect(twice.status).toBe(400);
    expect(await twice.json()).toMatchObject({ id: 1, error: { code: -32600 } });
  });

  it('row 20: a million values', async () => {
    const wide = await serve();
    const body = `{"jsonrpc":"2.0","method":"echo","params":{"a":[${'0,'.repeat(1_000_000)}0]}}`;
    const response = await wide.ask({ method: 'POST', headers: usual, body });
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: -32600 } }]);
    expect(wide.desk.seen.flatMap(({ received }) => received)).toEqual([]);
    await wide.close();
  });

  it('rows 5 and 8: characters cut anywhere, and line separators of Unicode, arrive as they were', async () => {
    const text = 'é\u{1f600}\u2028\u2029';
    const init = modern('echo', { text });
    const bytes = new TextEncoder().encode(String(init.body));
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        for (const byte of bytes) {
          controller.enqueue(Uint8Array.of(byte));
          await new Promise((resolve) => setImmediate(resolve));
        }
        controller.close();
      },
    });
    const response = await rig.ask({ ...init, body, duplex: 'half' } as RequestInit);
    expect(await response.json()).toMatchObject({ result: { echo: { text } } });
  });

  it('row 18: __proto__ is a key like any other', async () => {
    const init = modern('echo');
    const body = String(init.body).replace('"params":{', '"params":{"__proto__":{"polluted":1},');
    expect(await (await rig.ask({ ...init, body })).text()).toContain('"__proto__":{"polluted":1}');
  });

  it('row 21: a body over the limit, declared or not, and one that is encoded', async () => {
    const padded = (length: number): RequestInit => modern('length', { pad: 'x'.repeat(length) });
    const bare = String(padded(0).body).length;
    expect((await rig.ask(padded(64 * 1024 - bare))).status).toBe(200);
    const over = padded(64 * 1024 - bare + 1);
    const declared = await rig.ask(over);
    expect(declared.status).toBe(413);
    expect(await declared.json()).toMatchObject({ error: { code: -32600 } });
    const chunked = new Blob([String(over.body)]).stream();
    expect((await rig.ask({ ...over, body: chunked, duplex: 'half' } as RequestInit)).status).toBe(413);
    for (const encoding of ['gzip', 'br', 'identity, gzip']) {
      const response = await rig.ask({
        ...over,
        headers: { ...(over.headers as object), 'content-encoding': encoding },
        body: valid,
      });
      expect(response.status).toBe(415);
    }
  });

  it('row 24: the type of the body', async () => {
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=a',
      'application/jsonx',
      'application/json-rpc',
      'text/json',
      'application/json; charset=iso-8859-1',
      'application/json, text/plain',
    ];
    const init = modern('echo');
    const before = rig.desk.sessionless?.received.length;
    for (const type of types) {
      const response = await rig.ask({
        ...init,
        headers: { ...(init.headers as object), 'content-type': type },
      });
      expect([type, response.status]).toEqual([type, 415]);
    }
    const none = new Blob([String(init.body)]);
    expect((await rig.ask({ method: 'POST', headers: { accept: usual.accept }, body: none })).status).toBe(
      415,
    );
    expect(rig.desk.sessionless?.received.length).toBe(before);
    for (const type of [
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'APPLICATION/JSON',
    ]) {
      const response = await rig.ask({
        ...init,
        headers: { ...(init.headers as object), 'content-type': type },
      });
      expect([type, response.status]).toEqual([type, 200]);
    }
  });

  it('row 25: the types of the response', async () => {
    const init = modern('echo');
    const ask = async (accept: string): Promise<number> =>
      (await rig.ask({ ...init, headers: { ...(init.headers as object), accept } })).status;
    for (const accept of [
      'application/json',
      'text/event-stream',
      'text/html',
      'application/json, text/event-stream;q=0',
      'text/*',
      '*/*;q=0.0',
      '*/*, application/json;q=0',
      '',
    ]) {
      expect([accept, await ask(accept)]).toEqual([accept, 406]);
    }
    for (const accept of [
      '*/*',
      'text/event-stream, application/json',
      'application/*, text/*',
      'Application/JSON;q=0.5 , text/event-stream; q=0.1',
    ]) {
      expect([accept, await ask(accept)]).toEqual([accept, 200]);
    }
    expect((await rig.ask({ ...listening({}), headers: { accept: 'application/json' } })).status).toBe(406);
  });

  it('row 26: methods that are not served', async () => {
    for (const method of ['PUT', 'PATCH']) {
      const response = await rig.ask({ method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST, DELETE, OPTIONS']);
      const message = `method ${method} is not allowed; allowed: GET, POST, DELETE, OPTIONS`;
      expect(await response.json()).toMatchObject({ error: { message } });
    }
    for (const method of ['GET', 'DELETE']) {
      const response = await rig.ask({ ...listening({ 'mcp-protocol-version': '2026-07-28' }), method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST, OPTIONS');
    }
  });

  it('row 13: batches, in the one revision that has them', async () => {
    const entry = (id: number): object => request('echo', { id }, id);
    const entries = (count: number): object[] => Array.from({ length: count }, (_, id) => entry(id));
    const headers = await greet(rig, '2025-03-26');
    for (const count of [1, 100]) {
      const response = await rig.ask(post(entries(count), headers));
      expect(response.headers.get('content-type')).toBe('text/event-stream');
      const ids = messagesIn(await response.text()).map(({ id }) => id as number);
      expect(ids.sort((a, b) => a - b)).toEqual(entries(count).map((_, id) => id));
    }
    const odd = await rig.ask(post([entry(1), { jsonrpc: '1.0', id: 5, method: 'echo' }, 7], headers));
    expect(messagesIn(await odd.text())).toMatchObject([
      { id: 5, error: { code: -32600 } },
      { id: null, error: { code: -32600 } },
      { id: 1, result: {} },
    ]);
    const told = [
      { jsonrpc: '2.0', method: 'a' },
      { jsonrpc: '2.0', id: 1, result: {} },
    ];
    expect((await rig.ask(post(told, headers))).status).toBe(202);

    const claims = JSON.parse(String(modern('echo').body)) as object;
    for (const bad of [
      [],
      [entries(2)],
      entries(101),
      [entry(1), claims],
      [entry(1), request('initialize', {}, 2)],
      ['x', 7],
    ]) {
      const response = await rig.ask(post(bad, headers));
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ id: null, error: { code: -32600 } });
    }
    for (const version of ['2024-11-05', '2025-06-18', '2025-11-25']) {
      expect((await rig.ask(post(entries(2), await greet(rig, version)))).status).toBe(400);
    }
    await refused(JSON.stringify(entries(2)), -32600);
    await refused(JSON.stringify([claims]), -32600);
  });

  it('an error without a request has id null in the older sessions, and no id in the newer', async () => {
    for (const version of ['2024-11-05', '2025-06-18', '2025-11-25']) {
      const response = await rig.ask(post('{', await greet(rig, version)));
      const { id } = (await response.json()) as { id?: null };
      expect([version, id]).toEqual([version, version === '2025-11-25' ? undefined : null]);
    }
  });
});
