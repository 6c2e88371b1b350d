import { memory } from '@rxmcp/memory';
import { connectedPair } from '@rxmcp/testing';
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import { dropInvalidDefaults, withDefaults } from '../src/defaults.js';
import { flatSchema } from '../src/form-schema.js';
import type { ElicitationHandler, ElicitRequest, Form, FormField, FormSchema } from '../src/index.js';
import {
  enumField,
  multiSelectField,
  fieldChoices,
  elicit,
  form,
  integerField,
  numberField,
  offerElicitation,
  optional,
  stringField,
  booleanField,
} from '../src/index.js';
import { arraySteps } from './steps.js';

const all = form({
  name: stringField({ default: 'Ada' }),
  ratio: numberField({ default: 0 }),
  seats: integerField({ default: 2 }),
  news: booleanField({ default: false }),
  size: enumField({ s: 'Small', l: 'Large' }, { default: 's' }),
  toppings: multiSelectField(['ham', 'olives'], { minItems: 1, default: ['olives'] }),
  note: optional(stringField({ default: 'none' })),
});
const defaults = {
  name: 'Ada',
  ratio: 0,
  seats: 2,
  news: false,
  size: 's',
  toppings: ['olives'],
  note: 'none',
};

const filling = async (version: string, handler: ElicitationHandler) => {
  const { run } = await connectedPair({
    version,
    handler: async (ctx) => ({ answer: await elicit(ctx, 'all', { message: 'Which?', schema: all }) }),
    client: [offerElicitation(handler)],
    link: memory(),
    onCleanup: onTestFinished,
  });
  return run();
};

describe.each(['2026-07-28', '2025-11-25'])('defaults at %s', (version) => {
  it('of every kind of field fill missing values', async () => {
    const { answer } = await filling(version, () => ({ action: 'accept', content: {} }));
    expect(answer).toEqual({ action: 'accept', content: defaults });
  });

  it('never replace filled values, or values that were left empty on purpose', async () => {
    const content = { news: true, size: 'l', toppings: ['ham', 'olives'], note: undefined } as const;
    const { answer } = await filling(version, () => ({ action: 'accept', content }));
    const { note: _empty, ...rest } = { ...defaults, ...content };
    expect(answer).toEqual({ action: 'accept', content: rest });
  });

  it('do not fill a declined form', async () => {
    const { answer } = await filling(version, () => ({ action: 'decline' }));
    expect(answer).toEqual({ action: 'decline' });
  });
});

describe('a default that does not fit', () => {
  it.each([
    [() => form({ f: stringField({ minLength: 3, default: 'a' }) }), /"f" must have at least 3/],
    [() => form({ f: stringField({ format: 'date', default: 'today' }) }), /"f" must be a date/],
    [() => form({ f: integerField({ default: 0.5 }) }), /"f" must be a whole number/],
    [() => form({ f: enumField(['a'], { default: 'b' as 'a' }) }), /"f" must be one of/],
    [() => form({ f: multiSelectField(['a'], { minItems: 1, default: [] }) }), /"f" must hold at least 1/],
  ])('is an error at the side that makes the form', (make: () => Form<unknown>, text) => {
    expect(make).toThrow(text);
  });

  it('is dropped by the side that fills the form', async () => {
    let seen: ElicitRequest | undefined;
    const offer = offerElicitation((request) => {
      seen = request;
      return { action: 'cancel' };
    });
    const properties = { n: { type: 'integer', default: 'many' }, s: { type: 'string', default: 'x' } };
    const ctx = { signal: new AbortController().signal } as never;
    await offer.methods?.[0]?.handle({ message: 'm', requestedSchema: { type: 'object', properties } }, ctx);
    expect(seen?.requestedSchema.properties).toEqual({
      n: { type: 'integer' },
      s: { type: 'string', default: 'x' },
    });
  });

  it('is compared with each choice once, however many choices it picks', () => {
    const choices = Array.from({ length: 10_000 }, (_, at) => `choice ${at}`);
    const picked = choices.map(() => choices.at(-1) as string);
    const items = { type: 'string', enum: choices };
    const told = (last: string): FormSchema =>
      flatSchema({
        type: 'object',
        properties: { f: { type: 'array', items, default: [...picked, last] } },
      });
    const [good, wrong] = [told('choice 1'), told('another')];
    let forms: FormSchema[] = [];
    const steps = arraySteps(() => (forms = [dropInvalidDefaults(good), dropInvalidDefaults(wrong)]));
    expect(forms[0]?.properties.f).toHaveProperty('default');
    expect(forms[1]?.properties.f).not.toHaveProperty('default');
    expect(steps).toBeLessThan(10 * choices.length);
  });

  it('has a name like any other', () => {
    const properties = Object.fromEntries([['__proto__', { type: 'string', default: 'x' }]]);
    const filled = withDefaults(flatSchema({ type: 'object', properties }), {});
    expect(Object.entries(filled)).toEqual([['__proto__', 'x']]);
  });
});

describe('a field that asks for a secret', () => {
  it.each([
    ['password', {}],
    ['apiKey', {}],
    ['github_api_key', {}],
    ['value', { title: 'Your new password' }],
    ['card', { title: 'Credit card number' }],
    ['accessToken', {}],
  ])('is refused: %s %j', async (name, options) => {
    const schema = form({ [name]: stringField(options) });
    const asked = elicit({} as never, 'k', { message: 'm', schema });
    await expect(asked).rejects.toThrow(/asks for a secret.*elicitUrl/);
  });

  it.each([
    ['tokens', stringField()],
    ['secretSanta', stringField()],
    ['hasPassword', booleanField()],
    ['apiKey', enumField(['live', 'test'])],
    ['passwordHint', stringField()],
  ])('is not assumed for every such keyword: %s', async (name, field) => {
    const asked = elicit({} as never, 'k', { message: 'm', schema: form({ [name]: field }) });
    await expect(asked).rejects.toThrow(/can only be asked while/);
  });

  it('reaches the client with a warning', async () => {
    let seen: ElicitRequest | undefined;
    const offer = offerElicitation((request) => {
      seen = request;
      return { action: 'decline' };
    });
    const requestedSchema = { type: 'object', properties: { password: { type: 'string' } } };
    const ctx = { signal: new AbortController().signal } as never;
    await offer.methods?.[0]?.handle({ message: 'm', requestedSchema }, ctx);
    expect(seen?.warnings).toEqual([
      { code: 'ASKS_SECRET', message: expect.stringContaining('"password"') as string },
    ]);
  });
});

describe('choices', () => {
  it.each<[FormField, unknown]>([
    [
      { type: 'string', enum: ['a', 'b'] },
      [
        { value: 'a', title: 'a' },
        { value: 'b', title: 'b' },
      ],
    ],
    [
      { type: 'string', enum: ['a', 'b'], enumNames: ['A'] },
      [
        { value: 'a', title: 'A' },
        { value: 'b', title: 'b' },
      ],
    ],
    [{ type: 'string', oneOf: [{ const: 'a', title: 'A' }] }, [{ value: 'a', title: 'A' }]],
    [{ type: 'array', items: { type: 'string', enum: ['a'] } }, [{ value: 'a', title: 'a' }]],
    [{ type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } }, [{ value: 'a', title: 'A' }]],
    [{ type: 'string' }, undefined],
    [{ type: 'boolean' }, undefined],
  ])('of %j', (field, choices) => {
    expect(fieldChoices(field)).toEqual(choices);
  });

  it('may come as a union of constants, with or without titles', () => {
    const anyOf = [{ type: 'string', const: 'a', title: 'A' }, { const: 'b' }];
    const { properties } = flatSchema({ type: 'object', properties: { f: { anyOf, description: 'D' } } });
    expect(properties.f).toEqual({
      type: 'string',
      description: 'D',
      oneOf: [
        { const: 'a', title: 'A' },
        { const: 'b', title: 'b' },
      ],
    });
  });

  it('are types where the form is built', () => {
    type Value = typeof all extends Form<infer T> ? T : never;
    expectTypeOf<Value['size']>().toEqualTypeOf<'s' | 'l'>();
    expectTypeOf<Value['toppings']>().toEqualTypeOf<readonly ('ham' | 'olives')[]>();
    expectTypeOf<Value['note']>().toEqualTypeOf<string | undefined>();
  });
});
