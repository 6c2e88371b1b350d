import { once } from 'rxmcp';
import { offerElicitation } from 'rxmcp/elicitation';
import { logging } from 'rxmcp/logging';
import { offerRoots } from 'rxmcp/roots';
import { contentBlocks, offerSampling, type SamplingModel } from 'rxmcp/sampling';
import { tools } from 'rxmcp/tools';
import { firstValueFrom, timeout } from 'rxjs';
import { expect } from 'vitest';
import { arrivals } from '../arrivals.js';
import type { Feature } from '../cells.js';
import { atServer, atSharedServer, type ServerColumn } from './desk.js';
import { say } from './say.js';

const parrot: SamplingModel = ({ messages }) => {
  const [block] = messages.flatMap(contentBlocks);
  const text = block?.type === 'text' ? `${String(block.text)}!` : '';
  return { model: 'parrot', role: 'assistant', content: { type: 'text', text }, stopReason: 'endTurn' };
};

/** What an official server asks of our client, and logs to it. */
export const asked = {
  'answers sampling': (column) =>
    atServer(
      column,
      async ({ remote }) => {
        expect(await say(remote, 'ask_model', { question: 'Who waits' })).toBe('parrot: Who waits!');
      },
      [offerSampling(parrot, { approve: 'dangerouslyAlways' })],
    ),

  'rejects sampling': (column) =>
    atServer(
      column,
      async ({ remote }) => {
        const rejected = say(remote, 'ask_model', { question: 'Who waits' });
        await expect(rejected).rejects.toThrow(/reject/i);
        expect(await say(remote, 'greet', { name: 'Ada' })).toBe('Hello, Ada!');
      },
      [offerSampling(parrot, { approve: () => ({ action: 'reject', reason: 'not today' }) })],
    ),

  'is not asked for what it does not offer': (column) =>
    atSharedServer(column, async ({ remote }) => {
      await expect(say(remote, 'ask_model', { question: 'Who waits' })).rejects.toThrow(/sampling/i);
      expect(await say(remote, 'greet', { name: 'Ada' })).toBe('Hello, Ada!');
    }),

  'stops answering when the call is cancelled': async (column) => {
    const signals = arrivals<AbortSignal>('question');
    const ended = arrivals<string>('end');
    await atServer(
      column,
      async ({ remote }) => {
        const call = tools(remote).call('ask_model', { question: 'Who waits' }).subscribe();
        await signals.next(() => true);
        call.unsubscribe();
        await ended.next(() => true);
        expect(await say(remote, 'greet', { name: 'Ada' })).toBe('Hello, Ada!');
      },
      [
        offerSampling(
          (_params, { signal }) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => {
                ended.add('aborted');
                reject(new Error('the call was cancelled'));
              });
              signals.add(signal);
            }),
          { approve: 'dangerouslyAlways' },
        ),
      ],
    );
  },

  'answers several questions of one call': (column) =>
    atServer(
      column,
      async ({ remote }) => {
        const answer = JSON.parse(await say(remote, 'ask_both', { question: 'Where' })) as unknown;
        expect(answer).toEqual({ roots: ['pond'], text: 'Where!' });
      },
      [
        offerRoots([{ uri: 'file:///pond', name: 'pond' }]),
        offerSampling(parrot, { approve: 'dangerouslyAlways' }),
      ],
    ),

  'answers roots': (column) =>
    atServer(
      column,
      async ({ remote }) => {
        expect(JSON.parse(await say(remote, 'ask_roots'))).toEqual([{ uri: 'file:///pond', name: 'pond' }]);
      },
      [offerRoots([{ uri: 'file:///pond', name: 'pond' }])],
    ),

  'fills a form': (column) =>
    atServer(
      column,
      async ({ remote }) => {
        const filled = JSON.parse(await say(remote, 'ask_form')) as unknown;
        expect(filled).toEqual({ action: 'accept', content: { bird: 'heron', big: true } });
      },
      [
        offerElicitation(({ message, requestedSchema }) => {
          expect(message).toBe('Which bird?');
          expect(Object.keys(requestedSchema.properties)).toEqual(['bird', 'big']);
          return { action: 'accept', content: { bird: 'heron', big: true } };
        }),
      ],
    ),

  'declines a form': (column) =>
    atServer(
      column,
      async ({ remote }) => {
        expect(JSON.parse(await say(remote, 'ask_form'))).toEqual({ action: 'decline' });
      },
      [offerElicitation(() => ({ action: 'decline' }))],
    ),

  'gets log records': (column) =>
    atServer(column, async ({ remote }) => {
      const { records$, setLevel } = logging(remote);
      await once(setLevel('warning'));
      const first = firstValueFrom(records$.pipe(timeout(60_000)));
      const call = once(tools(remote).call('log', { text: 'splash' }));
      expect(await first).toMatchObject({ level: 'warning', logger: 'fixture', data: { text: 'splash' } });
      await call;
    }),
} satisfies Record<string, Feature<ServerColumn>>;
