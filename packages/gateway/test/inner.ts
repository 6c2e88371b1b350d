import type { Context, Offer } from '@rxmcp/core';
import { offerCompletion } from '@rxmcp/completion';
import { RpcError } from '@rxmcp/core';
import { offerLogging } from '@rxmcp/logging';
import { offerPrompts, prompt } from '@rxmcp/prompts';
import { offerResources, resource, template } from '@rxmcp/resources';
import type { Tool } from '@rxmcp/tools';
import { offerTools, tool } from '@rxmcp/tools';
import { BehaviorSubject, Subject } from 'rxjs';
import { jsonSchema } from './json-schema.js';

/** What the tests change at an inner server, and see of it. */
export interface Inner {
  readonly offers: readonly Offer[];
  readonly tools$: BehaviorSubject<readonly Tool[]>;
  readonly clock$: BehaviorSubject<string>;
  /** Emits the context of each call of `wait`, which ends only by a cancellation. */
  readonly waiting$: Subject<Context>;
  readonly cancelled$: Subject<void>;
}

export const fixedTools = (inner: Pick<Inner, 'waiting$' | 'cancelled$'>): readonly Tool[] => [
  tool(
    'sum',
    {
      title: 'Sum',
      input: jsonSchema({
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number' } },
        required: ['a', 'b'],
        'x-kept': 1,
      }),
      output: jsonSchema({
        type: 'object',
        properties: { sum: { type: 'number' } },
        required: ['sum'],
        additionalProperties: false,
      }),
      annotations: { readOnlyHint: true, title: 'Adds' },
      meta: { 'acme/kept': true },
    },
    (args) => ({ sum: Number(args['a']) + Number(args['b']) }),
  ),
  tool('fail', () => ({ content: [{ type: 'text', text: 'no' }], isError: true })),
  tool('reject', () => {
    throw new RpcError(-31999, 'rejected', { reason: 'test' });
  }),
  tool('report', (_args, ctx) => {
    ctx.progress(1, 2, 'half');
    ctx.log('warning', { at: 1 }, 'report');
    ctx.progress(2, 2);
    return Promise.resolve('reported');
  }),
  tool('wait', (_args, ctx) => {
    ctx.signal.addEventListener('abort', () => inner.cancelled$.next());
    inner.waiting$.next(ctx);
    return new Promise<string>(() => undefined);
  }),
];

/** An inner server with everything, and handles for its tests. */
export function innerServer(): Inner {
  const [waiting$, cancelled$] = [new Subject<Context>(), new Subject<void>()];
  const tools$ = new BehaviorSubject(fixedTools({ waiting$, cancelled$ }));
  const clock$ = new BehaviorSubject('12:00');
  const files = 'file:///notes/{name}' as const;
  const offers = [
    offerTools(tools$),
    offerLogging(),
    offerPrompts([
      prompt('greet', { arguments: [{ name: 'who', required: true }] }, ({ who }) => `Hello, ${who}!`),
    ]),
    offerResources([
      resource('test://clock', { name: 'clock', mimeType: 'text/plain', meta: { kept: 1 } }, clock$),
      template(files, { name: 'notes' }, ({ name }) => (name === 'none' ? null : `note ${name}`)),
    ]),
    offerCompletion({
      prompts: { greet: { who: ['Ada', 'Alan', 'Grace'] } },
      templates: { [files]: { name: ['one', 'two'] } },
    }),
  ];
  return { offers, tools$, clock$, waiting$, cancelled$ };
}
