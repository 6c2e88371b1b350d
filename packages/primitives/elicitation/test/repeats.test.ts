import type { Context } from '@rxmcp/core';
import { describe, expect, it } from 'vitest';
import type { ElicitRequest, ElicitationHandler, ElicitUrlRequest } from '../src/index.js';
import { elicit, elicitUrl, form, integerField, offerElicitation } from '../src/index.js';
import { pair } from './pair.js';

/** Elicitation begins with 2025-06-18. */
const revisions = ['2026-07-28', '2025-11-25', '2025-06-18'] as const;
const seats = form({ seats: integerField({ minimum: 1 }) });
const params = { message: 'How many seats?', schema: seats };

/** A client whose user answers 1, 2, 3 ... */
const counting = () => {
  const questions: string[] = [];
  const handler: ElicitationHandler = ({ message }: ElicitRequest) => {
    questions.push(message);
    return { action: 'accept', content: { seats: questions.length } };
  };
  return { questions, offers: { client: [offerElicitation(handler)] } };
};
const accepted = async (answer: ReturnType<typeof elicit<{ readonly seats: number }>>): Promise<number> => {
  const result = await answer;
  return result.action === 'accept' ? result.content.seats : 0;
};

describe.each(revisions)('an ask that is repeated at %s', (version) => {
  it('is a new question each time, so that a loop can ask until the answer is valid', async () => {
    const { questions, offers } = counting();
    const { run, serverFaults } = await pair(
      version,
      async (ctx) => {
        let count: number;
        do count = await accepted(elicit(ctx, 'seats', params));
        while (count < 4);
        return { count };
      },
      offers,
    );
    expect(await run()).toMatchObject({ count: 4 });
    expect(questions).toEqual(Array(4).fill(params.message));
    expect(serverFaults).toEqual([]);
  });

  it('may also be concurrent: the answers come in the order of the questions', async () => {
    const { questions, offers } = counting();
    const { run } = await pair(
      version,
      async (ctx) => {
        const asks = [1, 2, 3].map(() => accepted(elicit(ctx, 'seats', params)));
        return { counts: await Promise.all(asks) };
      },
      offers,
    );
    expect(await run()).toMatchObject({ counts: [1, 2, 3] });
    expect(questions).toHaveLength(3);
  });

  it('is a TypeError with other parameters, which names the key, both asks and the difference', async () => {
    const { offers } = counting();
    const { run, serverFaults } = await pair(
      version,
      async (ctx) => {
        await elicit(ctx, 'seats', params);
        return elicit(ctx, 'seats', { ...params, message: 'Which table?' });
      },
      offers,
    );
    await expect(run()).rejects.toMatchObject({ code: -32603 });
    const [{ code, cause } = {}] = serverFaults as readonly { code: string; cause: Error }[];
    expect(code).toBe('HANDLER_FAILED');
    expect(cause).toBeInstanceOf(TypeError);
    expect(cause?.message).toBe(
      'the key "seats" is used twice in one run, for elicitation/create "How many seats?" and for ' +
        'elicitation/create "Which table?", which differ in "message". Give each ask its own key',
    );
  });

  it('is a TypeError with other parameters also while the first one is not answered', async () => {
    const { offers } = counting();
    const { run, serverFaults } = await pair(
      version,
      (ctx) =>
        Promise.all([
          elicit(ctx, 'seats', params),
          elicit(ctx, 'seats', { ...params, schema: form({ seats: integerField() }) }),
        ]).then(() => ({})),
      offers,
    );
    await expect(run()).rejects.toMatchObject({ code: -32603 });
    expect(serverFaults[0]?.message).toContain('which differ in "requestedSchema"');
  });

  it.each<[string, (ctx: Context) => Promise<unknown>]>([
    ['a form', (ctx) => elicit(ctx, 'a', params)],
    ['a page', (ctx) => elicitUrl(ctx, 'a', { message: 'Open it', url: 'https://example.com/' })],
  ])(
    'that is %s yields to the event loop and ends with TOO_MANY_ROUNDS, also if the handler catches everything',
    async (_what, askAgain) => {
      const ends: { code: unknown; afterTurn: boolean }[] = [];
      const { run } = await pair(version, async (ctx) => {
        // The client cannot answer: each ask fails at once.
        while (ends.length < 66) {
          let afterTurn = false;
          setTimeout(() => void (afterTurn = true), 0);
          await askAgain(ctx).catch(({ code }: { code: unknown }) => {
            ends.push({ code, afterTurn });
          });
        }
        return {};
      });
      await run();
      expect(ends).toEqual([
        { code: 'ASK_UNAVAILABLE', afterTurn: false },
        ...Array.from({ length: 63 }, () => ({ code: 'ASK_UNAVAILABLE', afterTurn: true })),
        ...Array.from({ length: 2 }, () => ({ code: 'TOO_MANY_ROUNDS', afterTurn: true })),
      ]);
    },
  );

  it('yields also where a run already has all answers', async () => {
    const { offers } = counting();
    const turned: boolean[] = [];
    const { run } = await pair(
      version,
      async (ctx) => {
        turned.length = 0;
        for (let n = 0; n < 3; n += 1) {
          let afterTurn = false;
          setTimeout(() => void (afterTurn = true), 0);
          await elicit(ctx, params);
          turned.push(afterTurn);
        }
        return {};
      },
      offers,
    );
    await run();
    expect(turned.slice(1)).toEqual([true, true]);
  });

  it('needs no key where order identifies it', async () => {
    const { questions, offers } = counting();
    const { run } = await pair(
      version,
      async (ctx) => {
        const first = await accepted(elicit(ctx, params));
        const keyed = await accepted(elicit(ctx, 'keyed', { ...params, message: 'And then?' }));
        const second = await accepted(elicit(ctx, { ...params, message: 'How many more?' }));
        return { first, keyed, second };
      },
      offers,
    );
    expect(await run()).toMatchObject({ first: 1, keyed: 2, second: 3 });
    expect(questions).toEqual(['How many seats?', 'And then?', 'How many more?']);
  });

  it('finds its answer in each run; ctx.round says which run it is', async () => {
    const { offers } = counting();
    const rounds: number[] = [];
    const { run } = await pair(
      version,
      async (ctx: Context) => {
        rounds.push(ctx.round);
        return { sum: (await accepted(elicit(ctx, params))) + (await accepted(elicit(ctx, params))) };
      },
      offers,
    );
    expect(await run()).toMatchObject({ sum: 3 });
    expect(rounds).toEqual(version === '2026-07-28' ? [1, 2, 3] : [1]);
  });
});

describe.each(['2026-07-28', '2025-11-25'])('a page that is shown again at %s', (version) => {
  it('has another id', async () => {
    const urls: string[] = [];
    const url = ({ url }: ElicitUrlRequest) => {
      urls.push(url);
      return { action: urls.length < 3 ? 'decline' : 'accept' } as const;
    };
    const { run } = await pair(
      version,
      async (ctx) => {
        const page = { message: 'Open it', url: (id: string) => `https://example.com/?for=${id}` };
        let action: string;
        do ({ action } = await elicitUrl(ctx, page));
        while (action !== 'accept');
        return { action };
      },
      { client: [offerElicitation({ url })] },
    );
    expect(await run()).toMatchObject({ action: 'accept' });
    expect(new Set(urls).size).toBe(3);
  });

  it('differs from another page with the same key', async () => {
    const { run, serverFaults } = await pair(
      version,
      async (ctx) => {
        await elicitUrl(ctx, 'page', { message: 'Open it', url: 'https://example.com/a' });
        return { ...(await elicitUrl(ctx, 'page', { message: 'Open it', url: 'https://example.com/b' })) };
      },
      { client: [offerElicitation({ url: () => ({ action: 'accept' }) })] },
    );
    await expect(run()).rejects.toMatchObject({ code: -32603 });
    expect(serverFaults[0]?.message).toContain('the key "page" is used twice in one run');
  });
});
