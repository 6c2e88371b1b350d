import { offerMethod, once } from '@rxmcp/core';
import { defineOffer } from '@rxmcp/core/internal';
import { memory } from '@rxmcp/memory';
import { connectedPair } from '@rxmcp/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { elicit, form, stringField } from '../src/index.js';

const schema = form({ name: stringField() });

/** A client that declares these capabilities and would answer any form. */
const asking = async (version: string, elicitation: object) => {
  const answering = offerMethod('elicitation/create', {}, () => ({
    action: 'accept',
    content: { name: 'Ada' },
  }));
  const { run, remote } = await connectedPair({
    version,
    handler: async (ctx) => ({ answer: await elicit(ctx, 'name', { message: 'Who?', schema }) }),
    client: [defineOffer({ ...answering, capabilities: { elicitation } as never })],
    link: memory(),
    onCleanup: onTestFinished,
  });
  const sent: unknown[] = [];
  remote.wire$.subscribe(({ direction, message }) => direction === 'in' && sent.push(message));
  return { run, remote, heard: () => JSON.stringify(sent) };
};

describe.each(['2026-07-28', '2025-11-25'] as const)('a form at %s', (version) => {
  it.each([{}, { form: {} }, { form: {}, url: {} }])('is sent to a client with %j', async (declared) => {
    const { run } = await asking(version, declared);
    expect(await run()).toMatchObject({ answer: { action: 'accept', content: { name: 'Ada' } } });
  });

  it('is never sent to a client that opens urls only', async () => {
    const { remote, heard } = await asking(version, { url: {} });
    const error: unknown = await once(remote.request('tools/call', {})).catch((failure: unknown) => failure);
    expect(error).toMatchObject({
      code: version === '2026-07-28' ? -32021 : -31002,
      message: expect.stringContaining('elicitation.form'),
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
    expect(heard()).not.toContain('requestedSchema');
  });
});
