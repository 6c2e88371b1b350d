import { describe, expect, it, onTestFinished } from 'vitest';
import { once } from '@rxmcp/core';
import { memory } from '@rxmcp/memory';
import { connectedPair } from '@rxmcp/testing';
import { offerTools, text, tool, tools, type Tool, type JsonSchemaCompiler } from '../src/index.js';
import { call } from './calling.js';
import { schema } from './schemas.js';

/** Knows one word of JSON Schema, and refuses what refers to anything. */
const schemas: JsonSchemaCompiler = ({ type, $ref, ...rest }) => {
  if ($ref !== undefined) throw new Error(`"${String($ref)}" is never opened`);
  const wanted = type ?? 'object';
  const checked = schema<unknown>({
    check: (value) => (typeof value === wanted ? value : [{ message: `must be ${String(wanted)}` }]),
  });
  return rest['slow'] === true
    ? { '~standard': { ...checked['~standard'], validate: (value) => Promise.resolve({ value }) } }
    : checked;
};

const giving = (name: string, output: Record<string, unknown>, value: unknown): Tool =>
  tool(name, { output }, () => value as never);
const offered = [
  giving('good', { type: 'number' }, 0),
  giving('wrong', { type: 'number' }, 'zero'),
  giving('silent', { type: 'string' }, { content: [text('no')], isError: true }),
  giving('refers', { $ref: 'http://127.0.0.1:9/x' }, 1),
  giving('slow', { slow: true }, {}),
  tool('plain', {}, () => 'plain'),
];

const serving = (version = '2026-07-28') =>
  connectedPair({ server: [offerTools(offered)], version, link: memory(), onCleanup: onTestFinished });

describe('results of tools with an output schema', () => {
  it('row 67: are checked against the schema where the client has a validator', async () => {
    const { remote } = await serving();
    const use = tools(remote, { validator: schemas });
    expect(await once(use.call('good'))).toMatchObject({ structuredContent: 0 });
    await expect(once(use.call('wrong'))).rejects.toMatchObject({
      code: 'INVALID_RESULT',
      outcome: 'answered',
      message:
        'tools/call "wrong" has an output schema, but "structuredContent" does not pass: must be number',
    });
    const seen: unknown[] = [];
    await use
      .events('wrong')
      .forEach((event) => void seen.push(event))
      .catch((error: unknown) => void seen.push((error as { code: string }).code));
    expect(seen).toEqual(['INVALID_RESULT']);
    expect(await once(use.call('silent'))).toMatchObject({ isError: true });
    expect(await once(use.call('plain'))).toMatchObject({ content: [text('plain')] });
  });

  it('row 67: are wrong when they are missing, or when their check is asynchronous', async () => {
    const { remote } = await serving();
    const use = tools(remote, { validator: schemas });
    await expect(once(use.call('slow'))).rejects.toMatchObject({
      code: 'INVALID_RESULT',
      message: expect.stringContaining('a promise'),
    });
  });

  it('are read from the first list, once however many calls begin', async () => {
    const { remote } = await serving();
    const sent: string[] = [];
    remote.wire$.subscribe(
      ({ direction, message }) =>
        direction === 'out' && sent.push((message as { method?: string }).method ?? ''),
    );
    const use = tools(remote, { validator: schemas });
    await Promise.all([once(use.call('good')), once(use.call('plain'))]);
    await once(use.call('good'));
    expect(sent).toEqual(['tools/list', 'tools/call', 'tools/call', 'tools/call']);
    expect(tools(remote, { validator: schemas })).toBe(use);
    expect(tools(remote)).not.toBe(use);
  });

  it('row 65: of a schema that is rejected are not requested, and the others are', async () => {
    const { remote, clientFaults } = await serving();
    const use = tools(remote, { validator: schemas });
    for (let i = 0; i < 2; i += 1)
      await expect(once(use.call('refers'))).rejects.toMatchObject({
        code: 'INVALID_PARAMS',
        outcome: 'not-sent',
        message: expect.stringContaining('"http://127.0.0.1:9/x" is never opened'),
      });
    expect(clientFaults.filter(({ code }) => code === 'INVALID_TOOL')).toHaveLength(1);
    expect((await once(use.list())).map(({ name }) => name)).toContain('refers');
    expect(await once(use.call('good'))).toMatchObject({ structuredContent: 0 });
  });

  it('are passed on without a validator, and one fault says so once', async () => {
    const { remote, clientFaults } = await serving();
    expect(await once(tools(remote).call('wrong'))).toMatchObject({ structuredContent: 'zero' });
    expect(clientFaults).toEqual([]);
    await once(tools(remote).list());
    for (const name of ['wrong', 'good', 'plain']) await once(tools(remote).call(name));
    expect(clientFaults).toMatchObject([
      {
        code: 'SCHEMA_UNCHECKED',
        quiet: true,
        message: expect.stringContaining('"wrong": results are not checked'),
      },
    ]);
  });
});

describe('raw schemas of an offer', () => {
  it('are checked where the offer has a validator', async () => {
    let ran = 0;
    const raw = tool('raw', { input: { type: 'object' }, output: { type: 'number' } }, () => (ran++, 'zero'));
    const offer = offerTools([raw], { validator: schemas });
    const called = call(offer, 'tools/call', { name: 'raw' });
    expect(await called.end).toMatchObject({ isError: true });
    expect(called.faults).toMatchObject([
      { code: 'HANDLER_FAILED', message: expect.stringContaining('output schema rejects: must be number') },
    ]);
    expect(ran).toBe(1);
  });

  it.each<[string, string, unknown, unknown]>([
    ['a Date', 'string', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['what has toJSON', 'number', { toJSON: () => 5 }, 5],
    ['a boxed number', 'number', new Number(3), 3],
  ])('are checked against the JSON form of %s', async (_, type, value, travels) => {
    for (const given of [value, { content: [], structuredContent: value }]) {
      const raw = tool('raw', { output: { type } }, () => given);
      const called = call(offerTools([raw], { validator: schemas }), 'tools/call', { name: 'raw' });
      expect(await called.end).toMatchObject({ structuredContent: travels });
      expect(called.faults).toEqual([]);
    }
  });

  it('are not checked when the value has no JSON form', async () => {
    for (const [type, value] of [
      ['number', NaN],
      ['bigint', 1n],
      ['function', () => 1],
    ] as const) {
      const raw = tool('raw', { output: { type } }, () => value);
      const called = call(offerTools([raw], { validator: schemas }), 'tools/call', { name: 'raw' });
      expect(await called.end).toMatchObject({ isError: true });
    }
  });

  it('are rejected when the offer is made', () => {
    const bad = tool('bad', { input: { type: 'object', $ref: '#x' } }, () => '');
    expect(() => offerTools([bad], { validator: schemas })).toThrow(
      'the input schema of tool "bad" is rejected: "#x" is never opened',
    );
  });

  it('report once for both sides that they are not checked', async () => {
    const raw = offerTools([tool('raw', { input: { type: 'object' }, output: {} }, () => 1)]);
    const first = call(raw, 'tools/call', { name: 'raw' });
    await first.end;
    expect(first.faults).toMatchObject([
      {
        code: 'SCHEMA_UNCHECKED',
        message:
          'tool "raw": the input is raw JSON Schema: its arguments are not checked; the output is raw JSON Schema: its results are not checked',
      },
    ]);
  });
});
