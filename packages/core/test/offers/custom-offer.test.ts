import { concat, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { SchemaResult, StandardSchema } from '../../src/index.js';
import { offerMethod, progressItem } from '../../src/index.js';
import { rawClient } from '../rig/raw-client.js';

interface Counted {
  readonly n: number;
}

/** A schema whose outcome comes as `give` has it. */
function counted(
  give: (outcome: SchemaResult<Counted>) => SchemaResult<Counted> | PromiseLike<SchemaResult<Counted>>,
): StandardSchema<Counted> {
  const validate = (value: unknown): SchemaResult<Counted> | Promise<SchemaResult<Counted>> => {
    const { n } = value as Counted;
    const outcome = typeof n === 'number' ? { value: { n } } : { issues: [{ message: 'no number' }] };
    return give(outcome) as Promise<SchemaResult<Counted>>;
  };
  return { '~standard': { version: 1, vendor: 'test', validate } };
}

const ways: [string, StandardSchema<Counted>][] = [
  ['at once', counted((outcome) => outcome)],
  ['as a promise', counted((outcome) => Promise.resolve(outcome))],
  [
    'as a promise of another realm',
    counted((outcome) => ({ then: (done) => Promise.resolve(outcome).then(done) })),
  ],
];

describe.each(ways)('parameters of a custom method that are checked %s', (_, params) => {
  it.each<[string, Parameters<typeof offerMethod<typeof params>>[2]]>([
    ['a value', ({ n }) => ({ n })],
    ['a promise', ({ n }) => Promise.resolve({ n })],
    ['an observable', ({ n }) => concat(of(progressItem(1)), of({ n }))],
    [
      'an async iterable',
      async function* ({ n }) {
        yield progressItem(1);
        yield { n };
      },
    ],
  ])('reach a handler that returns %s', async (_kind, handler) => {
    const client = rawClient([offerMethod('acme/count', { params }, handler)]);
    expect((await client.modern(1, 'acme/count', { n: 7 })).result).toMatchObject({ n: 7 });
    expect(client.faults).toEqual([]);
  });

  it('are refused with -32602 where they are wrong, and the handler is not called', async () => {
    let called = false;
    const handler = (): Counted => ({ n: Number((called = true)) });
    const client = rawClient([offerMethod('acme/count', { params }, handler as never)]);
    const { error } = await client.modern(1, 'acme/count', { n: 'seven' });
    expect(error).toMatchObject({ code: -32602, message: '"acme/count": no number' });
    expect(called).toBe(false);
  });
});

it('rejects parameters without a schema at definition', () => {
  const n = counted((outcome) => outcome);
  const offered = (params: unknown) => () =>
    offerMethod('acme/count', { params: params as never }, () => ({}));
  expect(offered({ n })).toThrow(
    new TypeError(
      'the params of "acme/count": "n" is a schema, but the object around it is not: wrap it in z.object(...)',
    ),
  );
  expect(offered({ type: 'object' })).toThrow(
    new TypeError('the params of "acme/count" is not a Standard Schema'),
  );
});
