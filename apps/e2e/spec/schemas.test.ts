import { defineServer, once } from 'rxmcp';
import { JsonSchemaError, jsonSchema, validator } from 'rxmcp/json-schema';
import { offerTools, tool, tools } from 'rxmcp/tools';
import { describe, expect } from 'vitest';
import { clause } from './stage/clause.js';
import { at, legacy, modern } from './stage/frame.js';
import { httpScript } from './stage/http-script.js';
import { rawClient } from './stage/raw-client.js';
import { clientOf, rawServer } from './stage/raw-server.js';

type Schema = Readonly<Record<string, unknown>>;

const newest = 'https://json-schema.org/draft/2020-12/schema';
const seventh = 'http://json-schema.org/draft-07/schema#';
// Each means something else in the older dialect, where `prefixItems` is no word and a list of `items` is a tuple.
const tuple = { prefixItems: [{ type: 'number' }] };
const oldTuple = { items: [{ type: 'number' }] };

const fits = (schema: Schema, value: unknown): boolean => {
  const checked = validator()(schema)['~standard'].validate(value);
  return !('issues' in checked && checked.issues !== undefined);
};
const refusal = (schema: Schema): unknown => {
  try {
    jsonSchema(schema);
    return undefined;
  } catch (error) {
    return JsonSchemaError.is(error) ? [error.code, error.message] : error;
  }
};

describe('a schema', () => {
  clause(
    ['26/basic/29', '26/basic/30', '26/basic/31'],
    'is one of 2020-12 where it names no dialect, else of the one that it names',
    () => {
      for (const named of [{}, { $schema: newest }]) {
        expect(fits({ ...named, ...tuple }, ['x'])).toBe(false);
        expect(fits({ ...named, ...tuple }, [1, 'x'])).toBe(true);
        expect(fits({ ...named, dependentRequired: { a: ['b'] } }, { a: 1 })).toBe(false);
        expect(fits({ ...named, $defs: { n: { type: 'number' } }, $ref: '#/$defs/n' }, 'x')).toBe(false);
      }
      expect(fits({ $schema: seventh, ...oldTuple }, ['x'])).toBe(false);
      expect(fits({ $schema: seventh, ...oldTuple }, [1, 'x'])).toBe(true);
    },
  );

  clause(['26/basic/32'], 'in an unknown dialect is rejected by its name', () => {
    for (const dialect of ['http://json-schema.org/draft-04/schema#', 'https://example.com/mine']) {
      const [code, message] = refusal({ $schema: dialect, type: 'object' }) as [string, string];
      expect(code).toBe('SCHEMA_UNSUPPORTED_DIALECT');
      expect(message).toContain(dialect);
    }
  });

  clause(['26/basic/34'], 'that is invalid in its dialect is rejected where it is written', () => {
    for (const wrong of [{ type: 'text' }, { required: 'a' }, { minimum: '1' }, { properties: [] }]) {
      expect(() =>
        tool('t', { input: jsonSchema({ type: 'object', ...wrong } as Schema) }, () => 'x'),
      ).toThrow(JsonSchemaError);
    }
  });

  clause(
    ['26/basic/35', '26/basic/37'],
    'that refers into the network is refused, and nothing is fetched',
    async () => {
      const { url, requests } = await httpScript(() => ({ body: { type: 'object' } }));
      for (const $ref of [url, `${url}#/$defs/a`, 'other.json']) {
        expect(refusal({ $ref })).toMatchObject(['SCHEMA_UNRESOLVED_REF', expect.any(String)]);
        expect(refusal({ type: 'object', properties: { a: { $ref } } })).toBeDefined();
      }
      const output = { $ref: url };
      const server = rawServer(({ method }) =>
        method === 'tools/list'
          ? { result: { tools: [{ name: 'x', inputSchema: { type: 'object' }, outputSchema: output }] } }
          : { result: { content: [], structuredContent: {} } },
      );
      const { remote } = await clientOf(server);
      const use = tools(remote, { validator: validator() });
      await expect(once(use.call('x'))).rejects.toBeDefined();
      expect(server.asked().map(({ method }) => method)).not.toContain('tools/call');
      expect(requests).toEqual([]);
    },
  );
});

describe.each([modern, ...legacy.slice(0, 2)])('results of tools at a client of %s', (version) => {
  clause(['26/tools/33'], 'are checked against the schema of the tool', async () => {
    const outputSchema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };
    const called = async (structuredContent: object): Promise<unknown> => {
      const server = rawServer(
        ({ method }) =>
          method === 'tools/list'
            ? { result: { tools: [{ name: 'x', inputSchema: { type: 'object' }, outputSchema }] } }
            : { result: { content: [], structuredContent } },
        version,
      );
      const { remote } = await clientOf(server);
      return once(tools(remote, { validator: validator() }).call('x'));
    };
    expect(await called({ sum: 3 })).toMatchObject({ structuredContent: { sum: 3 } });
    for (const wrong of [{ sum: 'many' }, {}]) {
      await expect(called(wrong)).rejects.toMatchObject({ code: 'INVALID_RESULT' });
    }
  });
});

describe.each([modern, ...legacy])('arguments of tools at a server of %s', (version) => {
  clause(['26/basic/29', '26/basic/31'], 'are checked against the listed schema', async () => {
    const input = jsonSchema({ type: 'object', properties: { of: { type: 'array', ...tuple } } });
    const offers = [offerTools([tool('t', { input }, () => 'ran')])];
    const raw = await rawClient(defineServer({ info: { name: 's', version: '1' }, offers }));
    if (version !== modern) await raw.shake(version);
    const call = (of: unknown) => {
      const params = { name: 't', arguments: { of } };
      return version === modern ? raw.modern('tools/call', params) : raw.call('tools/call', params);
    };
    expect(at(await call([1, 'x']), 'result', 'content', 0, 'text')).toBe('ran');
    expect(at(await call(['x']), 'result', 'content', 0, 'text')).not.toBe('ran');
  });
});
