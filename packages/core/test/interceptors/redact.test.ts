import { TransportError } from '@rxmcp/transport';
import { of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ResponseEvent } from '../../src/index.js';
import { offerMethod, once, RpcError, RxmcpError } from '../../src/index.js';
import { redact } from '../../src/interceptors/index.js';
import { drive, result } from './driven.js';
import { eras, pair } from './pair.js';

const mark = '[redacted]';
const cleaning = redact({ keys: ['token', 'password'], patterns: [/sk-\w+/], redactParams: true });
const cleaned = (value: Record<string, unknown>, method = 'x/y', interceptor = cleaning) =>
  drive(interceptor, () => of(result(value)), { method }).seen[0];

describe('a text that is JSON', () => {
  it.each([
    ['an object', '{"name":"ada","token":"s"}', `{"name":"ada","token":"${mark}"}`],
    ['an array, with spaces', ' [ {"Token" : {"a": [1, "}"]} } ]\n', ` [ {"Token" : "${mark}" } ]\n`],
    [
      'a number that JSON.parse changes',
      '{"id":9007199254740993,"token":1.10}',
      `{"id":9007199254740993,"token":"${mark}"}`,
    ],
    [
      'a repeated member',
      '{"a":{"token":"s"},"a":[true,null,{"token":false}]}',
      `{"a":{"token":"${mark}"},"a":[true,null,{"token":"${mark}"}]}`,
    ],
    ['JSON within JSON', '{"body":"{\\"token\\":1}"}', `{"body":"{\\"token\\":\\"${mark}\\"}"}`],
    ['an escaped name', '{"\\u0074oken":"s"}', `{"\\u0074oken":"${mark}"}`],
    ['a byte order mark', '\ufeff{"token":"s"}', `\ufeff{"token":"${mark}"}`],
    ['matches too', '{"a":"sk-1","token":2}', `{"a":"${mark}","token":"${mark}"}`],
  ])('loses what is under a key: %s', (_what, text, expected) => {
    const block = { type: 'text', text };
    expect(cleaned({ content: [block] })).toEqual({ content: [{ type: 'text', text: expected }] });
  });

  it.each([
    ['JSON without a key', '{ "a": 1, "b": "a token" }'],
    ['a text that only looks like JSON', '{"token":"s"'],
    ['prose', 'the token is "token": 1'],
  ])('stays as it is: %s', (_what, text) => {
    const value = { content: [{ type: 'text', text }] };
    expect(cleaned(value)).toBe(value);
  });

  it('loses a key in capitals of any language', () => {
    const odd = redact({ keys: ['ŞİFRE'] });
    expect(cleaned({ text: '{"ŞİFRE":"s"}' }, 'x/y', odd)).toEqual({ text: `{"ŞİFRE":"${mark}"}` });
  });

  it('may be deep', () => {
    const text = `${'['.repeat(10_000)}{"token":1,"a":"\\n"}${']'.repeat(10_000)}`;
    expect(cleaned({ text })).toEqual({ text: text.replace(':1', `:"${mark}"`) });
  });

  it.each(['a.b[*]/c', 'x"y', 'a-b'])('loses a key with signs that have a meaning elsewhere: %s', (key) => {
    const text = JSON.stringify({ [key]: 1, b: 2 });
    const odd = redact({ keys: [key] });
    expect(cleaned({ text }, 'x/y', odd)).toEqual({ text: JSON.stringify({ [key]: mark, b: 2 }) });
  });
});

describe('names of members', () => {
  it('lose matches, and each member stays', () => {
    const byKey = { 'sk-1': 1, 'sk-2': 2, b: 3 };
    expect(cleaned({ byKey })).toEqual({ byKey: { [mark]: 1, [`${mark} 2`]: 2, b: 3 } });
  });
});

describe('lists and schemas', () => {
  const inputSchema = {
    type: 'object',
    properties: { password: { type: 'string', description: 'such as sk-1' }, 'sk-2': {} },
  };
  const schema = {
    type: 'object',
    properties: { password: { type: 'string', description: `such as ${mark}` }, 'sk-2': {} },
  };

  it.each(['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'roots/list'])(
    'keep what is under a key in %s, and lose matches',
    (method) => {
      const tool = { name: 'login', token: { description: 'sk-3' }, inputSchema };
      expect(cleaned({ tools: [tool] }, method)).toEqual({
        tools: [{ name: 'login', token: { description: mark }, inputSchema: schema }],
      });
    },
  );

  it('keep the schemas in asks, while the data of a custom list is cleaned', () => {
    const given: unknown[] = [];
    const source = (params: object) => (given.push(params), of(result()));
    drive(cleaning, source, { params: { token: 1, requestedSchema: inputSchema } });
    expect(given).toEqual([{ token: mark, requestedSchema: schema }]);
    const custom = { users: [{ password: 'p', inputSchema: { password: 'p' } }] };
    expect(cleaned(custom, 'users/list')).toEqual({
      users: [{ password: mark, inputSchema: { password: mark } }],
    });
  });
});

describe('errors', () => {
  const failed = (error: unknown) => drive(cleaning, () => throwError(() => error)).seen[0];

  it('of any class lose matches in their message; the original is the cause', () => {
    const original = new TypeError('key sk-1 rejected');
    expect(failed(original)).toMatchObject({ message: `key ${mark} rejected`, cause: original });
    const { stack } = failed(original) as Error;
    expect(stack?.split('\n')).toEqual([
      `TypeError: key ${mark} rejected`,
      ...original.stack!.split('\n').slice(1),
    ]);
    expect(failed('sk-1')).toMatchObject({ message: mark, cause: 'sk-1' });
    const lost = new TransportError('CLOSED', 'sk-1', { retryable: true, details: { stderr: 'sk-2' } });
    const found = failed(lost);
    expect(TransportError.is(found)).toBe(true);
    expect(found).toMatchObject({
      code: 'CLOSED',
      message: mark,
      outcome: 'unknown',
      retryable: true,
      details: { stderr: mark },
    });
  });

  it.each([
    new Error('x'),
    new RpcError(7, 'x', { a: 1 }),
    new RxmcpError('TIMEOUT', 'x', { data: { a: 1 } }),
    new TransportError('CLOSED', 'x', { details: { a: 1 } }),
  ])('stay the same without a secret: %s', (error) => {
    expect(failed(error)).toBe(error);
  });

  it.each(eras)('%s: a client reads the cleaned message of an exposed error', async (_era, version) => {
    const fails = offerMethod('x/fails', {}, () => {
      throw new Error('key sk-1 rejected');
    });
    const { remote } = await pair(version, {
      offers: [fails],
      interceptors: [cleaning],
      exposeErrors: true,
    });
    await expect(once(remote.request('x/fails'))).rejects.toMatchObject({
      code: -32_603,
      message: `key ${mark} rejected`,
    });
  });
});

it('the name of a logger loses matches, and progress what is under a key in a JSON text', () => {
  const events: ResponseEvent[] = [
    { type: 'log', level: 'info', data: 'sk-1', logger: 'sk-2' },
    { type: 'progress', progress: 1, message: '{"token":"s"}' },
  ];
  const seen: unknown[] = [];
  cleaning({ method: 'x/y', params: {} } as never, () => of(...events)).subscribe((event) =>
    seen.push(event),
  );
  expect(seen).toEqual([
    { type: 'log', level: 'info', data: mark, logger: mark },
    { type: 'progress', progress: 1, message: `{"token":"${mark}"}` },
  ]);
});

describe('what has a method for JSON', () => {
  it('is cleaned as it is sent, once', () => {
    const own = { token: 's', a: 1, toJSON: (): object => ({ ...own }) };
    expect(cleaned({ own })).toMatchObject({ own: { token: mark, a: 1 } });
  });
});

describe('data that is named as a schema', () => {
  it('is cleaned in a result, and so is the metadata of a list', () => {
    expect(cleaned({ inputSchema: { type: 'x', password: 's' } })).toEqual({
      inputSchema: { type: 'x', password: mark },
    });
    const tool = { name: 'a', inputSchema: { type: 'object', properties: { password: {} } } };
    expect(cleaned({ tools: [{ ...tool, _meta: { token: 's' } }] }, 'tools/list')).toEqual({
      tools: [{ ...tool, _meta: { token: mark } }],
    });
  });
});
