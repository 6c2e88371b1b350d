import { logItem, once, progressItem, RpcError } from '@rxmcp/core';
import { BehaviorSubject, concat, defer, EMPTY, finalize, NEVER, of, Subject, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { isResourceNotFound, offerResources, resource, resources, template } from '../src/index.js';
import { eras, serve, settled, laterThanOldest } from './fixture.js';

describe.each(eras)('reading, %s %j', (...era) => {
  const reading = async (offer: ReturnType<typeof offerResources>, uri: string): Promise<unknown> => {
    const remote = await serve(offer).connect(era);
    return once(resources(remote).read(uri));
  };

  it('returns text, bytes, and values that describe themselves', async () => {
    const offer = offerResources([
      resource('x:text', { mimeType: 'text/markdown' }, '# Hi'),
      resource('x:bytes', {}, new Uint8Array([0, 255, 1])),
      resource(
        'x:own',
        { mimeType: 'text/plain' },
        { text: '{}', mimeType: 'application/json', _meta: { a: 1 } },
      ),
      resource('x:blob', { mimeType: 'image/png' }, { blob: 'AP8B' }),
      resource('x:later', {}, Promise.resolve('promised')),
      resource('x:empty', {}, []),
    ]);
    const { connect } = serve(offer);
    const read = resources(await connect(era)).read;
    expect(await once(read('x:text'))).toEqual([{ uri: 'x:text', mimeType: 'text/markdown', text: '# Hi' }]);
    expect(await once(read('x:bytes'))).toEqual([{ uri: 'x:bytes', blob: 'AP8B' }]);
    expect(await once(read('x:own'))).toEqual([
      {
        uri: 'x:own',
        mimeType: 'application/json',
        text: '{}',
        ...laterThanOldest(era, { _meta: { a: 1 } }),
      },
    ]);
    expect(await once(read('x:blob'))).toEqual([{ uri: 'x:blob', mimeType: 'image/png', blob: 'AP8B' }]);
    expect(await once(read('x:later'))).toEqual([{ uri: 'x:later', text: 'promised' }]);
    expect(await once(read('x:empty'))).toEqual([]);
  });

  it('returns the files of a directory, each with its uri', async () => {
    const offer = offerResources([
      resource('file:///d', { mimeType: 'inode/directory' }, async () => [
        { uri: 'file:///d/日.txt', text: 'a' },
        { uri: 'file:///d/b', blob: new Uint8Array([1]), mimeType: 'application/octet-stream' },
      ]),
    ]);
    expect(await reading(offer, 'file:///d')).toEqual([
      { uri: 'file:///d/%E6%97%A5.txt', text: 'a' },
      { uri: 'file:///d/b', mimeType: 'application/octet-stream', blob: 'AQ==' },
    ]);
  });

  it('finds a resource whichever way its uri is written', async () => {
    const offer = offerResources([
      resource('file:///日志/app.log', {}, 'log'),
      template('表:'.replace('表', 't') + '/{v}', {}, (v) => JSON.stringify(v)),
    ]);
    const remote = await serve(offer).connect(era);
    expect(await once(resources(remote).read('file:///%e6%97%a5%E5%BF%97/app%2Elog'))).toMatchObject([
      { text: 'log' },
    ]);
    expect(await once(resources(remote).read('FILE:///日志/app.log'))).toMatchObject([{ text: 'log' }]);
    // Peers may send uris that are not in the form of RFC 3986.
    const raw = await once(remote.request('resources/read', { uri: 'file:///日志/app.log' }));
    expect(raw).toMatchObject({ contents: [{ uri: 'file:///%E6%97%A5%E5%BF%97/app.log' }] });
    expect(await once(resources(remote).read('t:/日%20'))).toMatchObject([{ text: '{"v":"日 "}' }]);
  });

  it('passes decoded variables to a template, the most specific one that matches the uri', async () => {
    const offer = offerResources([
      template('file:///{name}', {}, ({ name }) => `one ${name}`),
      template(
        'file:///{+path}{?tail}',
        { mimeType: 'text/plain' },
        ({ path, tail }) => `${path} ${tail ?? '-'}`,
      ),
    ]);
    const read = resources(await serve(offer).connect(era)).read;
    expect(await once(read('file:///a%20b'))).toEqual([{ uri: 'file:///a%20b', text: 'one a b' }]);
    expect(await once(read('file:///a/b?tail=3'))).toMatchObject([{ text: 'a/b 3', mimeType: 'text/plain' }]);
    expect(await once(read('file:///a/b'))).toMatchObject([{ text: 'a/b -' }]);
    // An encoded slash would be a second spelling of the same path, so neither takes it.
    await expect(once(read('file:///a%2Fb'))).rejects.toMatchObject({ code: -32602 });
    await expect(once(read('file:///a%2F..%2Fb'))).rejects.toMatchObject({ code: -32602 });
  });

  it.each([
    ['an unknown uri', 'x:unknown'],
    ['null from a function', 'x:null'],
    ['null from a template', 't:/a'],
    ['null from an Observable', 'x:live'],
    ['the text of a template', 't:/%7Bv%7D'],
  ])('fails with RESOURCE_NOT_FOUND for %s', async (_, uri) => {
    const offer = offerResources([
      resource('x:null', {}, () => null),
      resource('x:live', {}, of(null)),
      template('t:/{v}', {}, async () => null),
    ]);
    const failure = await reading(offer, uri).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: era[0] === 'modern' ? -32602 : -32002, data: { uri } });
    expect(isResourceNotFound(failure)).toBe(true);
  });

  it.each([
    [undefined, '"uri" must be a string'],
    [5, '"uri" must be a string'],
    ['{v}', 'needs a scheme'],
    ['t:/{v}', 'percent-encoded'],
    ['文件:///a', 'the scheme'],
    ['t:/%2e%2e', '".."'],
    ['t:/a%2Fb', '{+v}'],
    ['t:/a%5Cb', 'backslash'],
    ['t:/%00', 'NUL'],
  ])('RELIABILITY row 59: %j is -32602 and no handler runs', async (uri, problem) => {
    let ran = 0;
    const remote = await serve(offerResources([template('t:/{v}', {}, () => `${(ran += 1)}`)])).connect(era);
    const failure: unknown = await once(
      remote.request('resources/read', uri === undefined ? {} : { uri }),
    ).catch((e: unknown) => e);
    expect(failure).toMatchObject({ code: -32602, message: expect.stringContaining(problem) as string });
    expect(isResourceNotFound(failure)).toBe(false);
    expect(ran).toBe(0);
  });

  it('does not find __proto__ and similar names', async () => {
    const offer = offerResources([resource('x:a', {}, 'a')]);
    for (const uri of ['x:__proto__', 'x:toString', 'x:constructor']) {
      expect(isResourceNotFound(await reading(offer, uri).catch((error: unknown) => error))).toBe(true);
    }
  });

  it('takes the first value of an Observable, reports excepted, and stops there', async () => {
    let torn = 0;
    const source = concat(of(progressItem(1, 2), 'first', 'second'), NEVER).pipe(
      finalize(() => void (torn += 1)),
    );
    expect(await reading(offerResources([resource('x:a', {}, source)]), 'x:a')).toMatchObject([
      { text: 'first' },
    ]);
    expect(torn).toBe(1);
  });

  it('accepts any output of a function', async () => {
    const offer = offerResources([
      resource('x:sync', {}, () => 'sync'),
      resource('x:async', {}, async () => 'async'),
      resource('x:rx', {}, () => of(logItem('info', 'reading'), 'rx')),
      resource('x:iterable', {}, async function* () {
        yield progressItem(1);
        yield 'iterable';
      }),
    ]);
    for (const kind of ['sync', 'async', 'rx', 'iterable']) {
      expect(await reading(offer, `x:${kind}`)).toMatchObject([{ text: kind }]);
    }
  });

  it('hides internal errors, and passes on the errors of its author', async () => {
    const offer = offerResources([
      resource('x:thrown', {}, () => {
        throw new Error('secret');
      }),
      resource('x:rejected', {}, Promise.reject(new Error('secret'))),
      resource(
        'x:errored',
        {},
        throwError(() => new Error('secret')),
      ),
      resource('x:value', {}, (() => 5) as never),
      resource('x:nothing', {}, (() => undefined) as never),
      resource('x:both', {}, (() => ({ text: 'secret', blob: '' })) as never),
      resource('x:blob', {}, () => ({ blob: 'no base64!' })),
      resource('x:type', {}, () => ({ text: 'a', mimeType: 'nonsense' })),
      resource('x:own', {}, () => {
        throw new RpcError(7, 'closed on Sundays', { opens: 'Monday' });
      }),
      resource('x:ended', {}, EMPTY),
    ]);
    const { connect, faults } = serve(offer);
    const { read } = resources(await connect(era));
    for (const uri of [
      'x:thrown',
      'x:rejected',
      'x:errored',
      'x:value',
      'x:nothing',
      'x:both',
      'x:blob',
      'x:type',
    ]) {
      const failure = (await once(read(uri)).catch((error: unknown) => error)) as RpcError;
      expect([uri, failure.code, failure.message]).toEqual([
        uri,
        -32603,
        expect.stringMatching(/^internal error \(reference /),
      ]);
    }
    expect(faults.filter(({ code }) => code === 'HANDLER_FAILED')).toHaveLength(8);
    await expect(once(read('x:own'))).rejects.toMatchObject({
      code: 7,
      message: 'closed on Sundays',
      data: { opens: 'Monday' },
    });
    await expect(once(read('x:ended'))).rejects.toMatchObject({ code: -32603 });
  });

  it('fails with RESOURCE_TIMEOUT where no value comes in time', async () => {
    let torn = 0;
    const silent = NEVER.pipe(finalize(() => void (torn += 1)));
    const offer = offerResources([resource('x:a', { readTimeoutMs: 20 }, silent)]);
    const failure = await reading(offer, 'x:a').catch((error: unknown) => error);
    expect((failure as Error).message).toBe('resource "x:a" returned no value within 20 ms');
    expect(torn).toBe(1);
  });

  it('shares one subscription among reads that come together', async () => {
    let subscribed = 0;
    let torn = 0;
    const values = new Subject<string>();
    const source = defer(() => {
      subscribed += 1;
      return values;
    }).pipe(finalize(() => void (torn += 1)));
    const { connect } = serve(offerResources([resource('x:a', {}, source)]));
    const [one, two] = [await connect(era), await connect(era, 'bob')];
    const reads = [
      once(resources(one).read('x:a')),
      once(resources(one).read('x:a')),
      once(resources(two).read('x:a')),
    ];
    const leaving = resources(two).read('x:a').subscribe();
    await settled();
    leaving.unsubscribe();
    await settled();
    expect([subscribed, torn]).toEqual([1, 0]);
    values.next('value');
    expect(await Promise.all(reads)).toEqual(
      Array.from({ length: 3 }, () => [{ uri: 'x:a', text: 'value' }]),
    );
    expect([subscribed, torn]).toEqual([1, 1]);
    void once(resources(one).read('x:a'));
    await settled();
    expect(subscribed).toBe(2);
    values.next('again');
  });

  it('tears a source down when the only reader cancels', async () => {
    let signal: AbortSignal | undefined;
    let torn = 0;
    const offer = offerResources([
      resource('x:a', {}, (_, ctx) => {
        signal = ctx.signal;
        return NEVER.pipe(finalize(() => void (torn += 1)));
      }),
      resource('x:b', {}, (_, ctx) => {
        signal = ctx.signal;
        return new Promise<string>(() => undefined);
      }),
    ]);
    const remote = await serve(offer).connect(era);
    for (const uri of ['x:a', 'x:b']) {
      const reading = resources(remote).read(uri).subscribe();
      await settled();
      expect(signal?.aborted).toBe(false);
      reading.unsubscribe();
      await settled();
      expect(signal?.aborted).toBe(true);
    }
    expect(torn).toBe(1);
  });

  it('returns the latest value that is there at once', async () => {
    const value = new BehaviorSubject('old');
    const offer = offerResources([
      resource('x:a', {}, value),
      resource(
        'x:b',
        {},
        concat(
          defer(() => of(value.value)),
          NEVER,
        ),
      ),
    ]);
    value.next('new');
    expect(await reading(offer, 'x:a')).toMatchObject([{ text: 'new' }]);
    expect(await reading(offer, 'x:b')).toMatchObject([{ text: 'new' }]);
  });
});
