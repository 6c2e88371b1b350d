import type { StandardSchema } from '@rxmcp/core';
import { offerMethod } from '@rxmcp/core';
import { defineOffer } from '@rxmcp/core/internal';
import { memory } from '@rxmcp/memory';
import type { ConnectedPairOptions } from '@rxmcp/testing';
import { connectedPair } from '@rxmcp/testing';
import { of } from 'rxjs';
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest';
import type { ElicitationHandler, ElicitResult } from '../src/index.js';
import {
  enumField,
  elicit,
  form,
  integerField,
  offerElicitation,
  optional,
  stringField,
  booleanField,
} from '../src/index.js';

const pair = (version: string, handler: ConnectedPairOptions['handler'], offers: ConnectedPairOptions = {}) =>
  connectedPair({ version, handler, ...offers, link: memory(), onCleanup: onTestFinished });

/** Elicitation begins with 2025-06-18. */
const revisions = ['2026-07-28', '2025-11-25', '2025-06-18'] as const;
const message = 'How can we reach you?';
const contact = form({
  email: stringField({ format: 'email', title: 'E-mail' }),
  age: optional(integerField({ minimum: 18 })),
  news: booleanField({ default: true }),
  color: enumField(['red', 'green']),
});
const filled = { email: 'ada@example.com', news: false, color: 'red' } as const;
const requestedSchema = {
  type: 'object',
  properties: {
    email: { type: 'string', format: 'email', title: 'E-mail' },
    age: { type: 'integer', minimum: 18 },
    news: { type: 'boolean', default: true },
    color: { type: 'string', enum: ['red', 'green'] },
  },
  required: ['email', 'news', 'color'],
};

const asking = (
  version: string,
  handler: ElicitationHandler,
  schema: StandardSchema<unknown, unknown> = contact,
) =>
  pair(version, async (ctx) => ({ answer: await elicit(ctx, 'contact', { message, schema }) }), {
    client: [offerElicitation(handler)],
  });
const failing = (version: string, answer: unknown) =>
  pair(
    version,
    async (ctx) => {
      // A schema that lets everything pass: the form itself is checked all the same.
      const schema = schemaOf(requestedSchema);
      const failure = await elicit(ctx, 'contact', { message, schema }).catch((error: unknown) => error);
      const { code, message: text } = failure as { code?: unknown; message?: unknown };
      return { code, text };
    },
    {
      client: [
        defineOffer({
          ...offerMethod('elicitation/create', {}, () => answer as never),
          // The bare form of the capability means forms.
          capabilities: { elicitation: {} },
        }),
      ],
    },
  );

describe.each(revisions)('elicitation at %s', (version) => {
  it('shows the form and returns the filled one', async () => {
    const handler = vi.fn<ElicitationHandler>(() => ({ action: 'accept', content: filled }));
    const { run } = await asking(version, handler);
    expect(await run()).toMatchObject({ answer: { action: 'accept', content: filled } });
    expect(handler.mock.calls.map(([request]) => request)).toEqual([
      { message, requestedSchema, warnings: [] },
    ]);
  });

  it.each(['decline', 'cancel'] as const)('accepts %s as an answer', async (action) => {
    const { run } = await asking(version, () => of({ action, content: filled } as ElicitResult));
    expect(await run()).toEqual(expect.objectContaining({ answer: { action } }));
  });

  it('does not send content that does not match the form', async () => {
    const { run, clientFaults, remote } = await asking(version, async () => ({
      action: 'accept',
      content: { ...filled, age: 7 },
    }));
    const sent: string[] = [];
    remote.wire$.subscribe(
      ({ direction, message: out }) => direction === 'out' && sent.push(JSON.stringify(out)),
    );
    await expect(run()).rejects.toThrow(/age: must be at least 18/);
    expect(sent.join()).not.toContain('ada@example.com');
    if (version !== '2026-07-28') expect(clientFaults).toMatchObject([{ code: 'HANDLER_FAILED' }]);
  });

  it('does not send an invalid answer', async () => {
    const { run } = await asking(version, () => ({ action: 'accept' }) as never);
    await expect(run()).rejects.toThrow(/does not fit/);
    const odd = await asking(version, () => 'yes' as never);
    await expect(odd.run()).rejects.toThrow(/action/);
  });

  it.each([
    [{ action: 'accept', content: { ...filled, color: 'blue' } }, /color: must be one of the choices/],
    [{ action: 'accept', content: { news: true, color: 'red' } }, /email: is missing/],
    [{ action: 'accept' }, /email: is missing/],
    [{ action: 'accept', content: [] }, /must be an object/],
    [{ action: 'yes', content: filled }, /"yes"/],
  ])('rejects with INVALID_ANSWER for %j', async (answer, text) => {
    const { run } = await failing(version, answer);
    expect(await run()).toMatchObject({ code: 'INVALID_ANSWER', text: expect.stringMatching(text) });
  });

  it('returns the requested fields only', async () => {
    const content = { ...filled, more: 'x' };
    const { run } = await asking(version, () => ({ action: 'accept', content }), schemaOf(requestedSchema));
    expect((await run()).answer).toEqual({ action: 'accept', content: filled });
  });

  it('rejects with ASK_UNAVAILABLE where the client has no forms', async () => {
    const { run } = await pair(version, async (ctx) => {
      const error = await elicit(ctx, 'c', { message, schema: contact }).catch((failure: unknown) => failure);
      return { code: (error as { code: unknown }).code };
    });
    expect(await run()).toMatchObject({ code: 'ASK_UNAVAILABLE' });
  });

  it('rejects a nested form before anything is sent', async () => {
    const nested = schemaOf({ type: 'object', properties: { home: { type: 'object', properties: {} } } });
    const handler = vi.fn<ElicitationHandler>(() => ({ action: 'cancel' }));
    const { run } = await pair(
      version,
      async (ctx) => {
        const error = await elicit(ctx, 'c', { message, schema: nested }).catch(
          (failure: unknown) => failure,
        );
        return { name: (error as Error).name, text: (error as Error).message };
      },
      { client: [offerElicitation(handler)] },
    );
    expect(await run()).toMatchObject({ name: 'TypeError', text: expect.stringMatching(/"home".*flat/) });
    expect(handler).not.toHaveBeenCalled();
  });
});

describe('a schema of another library', () => {
  it('checks and transforms the content', async () => {
    const schema = schemaOf(
      { type: 'object', properties: { n: { type: 'string' } }, required: ['n'] },
      (value) => {
        const n = Number((value as { n: string }).n);
        return Number.isNaN(n) ? { issues: [{ message: 'is no number', path: ['n'] }] } : { value: { n } };
      },
    );
    const good = await asking('2025-11-25', () => ({ action: 'accept', content: { n: '7' } }), schema);
    expect(await good.run()).toMatchObject({ answer: { action: 'accept', content: { n: 7 } } });
    const bad = await asking('2025-11-25', () => ({ action: 'accept', content: { n: 'x' } }), schema);
    const told = 'the answer to "contact" is invalid: n: is no number';
    await expect(bad.run()).rejects.toMatchObject({ code: -32602, message: told });
    expect(bad.serverFaults).toEqual([]);
  });

  it('must be a Standard JSON Schema', async () => {
    const schema = {
      '~standard': { version: 1, vendor: 'old', validate: (value: unknown) => ({ value }) },
    } as const;
    await expect(elicit({} as never, 'k', { message, schema })).rejects.toThrow(/Standard JSON Schema/);
  });

  it('is one schema, not an object of some', async () => {
    const told =
      'elicit(ctx, "k"): "name" is a schema, but the object around it is not: wrap it in z.object(...)';
    const schema = { name: contact } as never;
    await expect(elicit({} as never, 'k', { message, schema })).rejects.toThrow(new TypeError(told));
  });
});

describe('the two sides', () => {
  it('declare forms', () => {
    const offer = offerElicitation(() => ({ action: 'cancel' }));
    expect(offer.capabilities).toEqual({ elicitation: { form: {} } });
  });

  it.each([
    [{ mode: 'url', message, url: 'https://example.com' }, /does not offer the mode "url"/],
    [{ mode: 'voice', message }, /does not offer the mode "voice"/],
    [{ requestedSchema }, /"message"/],
    [{ message }, /"requestedSchema"/],
    [{ message, requestedSchema: { type: 'object', properties: { a: { type: 'object' } } } }, /"a"/],
  ])('refuse the request %j', (params, text) => {
    const offer = offerElicitation(() => ({ action: 'cancel' }));
    expect(() => offer.methods?.[0]?.handle(params, {} as never)).toThrow(text);
  });

  it('know the type of the answer', () => {
    const ask = () => elicit({} as never, 'k', { message, schema: contact });
    expectTypeOf(ask).returns.resolves.toEqualTypeOf<
      ElicitResult<
        { readonly email: string; readonly news: boolean; readonly color: 'red' | 'green' } & {
          readonly age?: number;
        }
      >
    >();
  });
});

function schemaOf(
  json: Record<string, unknown>,
  validate: StandardSchema['~standard']['validate'] = (value) => ({ value }),
): StandardSchema {
  const convert = (): Record<string, unknown> => json;
  return {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate,
      jsonSchema: { input: convert, output: convert },
    },
  };
}
