import { expect, it } from 'vitest';
import { form, offerElicitation, stringField } from '../src/index.js';
import { pair } from './pair.js';

/** Opens a URL for each of `count` ids, then reports all of them as completed; returns the ids that the client learns of. */
async function completedOf(count: number): Promise<string[]> {
  const completed: string[] = [];
  const ids = Array.from({ length: count }, (_, at) => `id ${at}`);
  const { run } = await pair(
    '2025-11-25',
    async (ctx) => {
      for (const elicitationId of ids)
        await ctx.request('elicitation/create', {
          mode: 'url',
          message: elicitationId,
          url: 'https://example.com/',
          elicitationId,
        });
      for (const elicitationId of ids)
        ctx.notify('notifications/elicitation/complete', { elicitationId } as never);
      return {};
    },
    {
      client: [
        offerElicitation({
          url: (request) => {
            void request.completed?.then(() => completed.push(request.message));
            return { action: 'accept' };
          },
        }),
      ],
    },
  );
  await run();
  return completed;
}

it('a client learns of every completed url of those that are open at the same time', async () => {
  expect(await completedOf(3)).toEqual(['id 0', 'id 1', 'id 2']);
});

it('a client waits for the last 256 of a server', async () => {
  expect(await completedOf(256)).toHaveLength(256);
  expect((await completedOf(257)).slice(0, 2)).toEqual(['id 1', 'id 2']);
});

it('the Standard Schema of a form names its vendor', () => {
  expect(form({ name: stringField() })['~standard']).toMatchObject({ version: 1, vendor: 'rxmcp' });
});
