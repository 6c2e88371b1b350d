import { BehaviorSubject, interval, map, NEVER, take } from 'rxjs';
import type { Client, ClientOptions, Context, Remote, Server } from 'rxmcp';
import { defineClient, defineServer, offerMethod, offerNotification, progressItem } from 'rxmcp';
import { elicit, form, offerElicitation, stringField } from 'rxmcp/elicitation';
import { offerLogging } from 'rxmcp/logging';
import { offerPrompts, prompt } from 'rxmcp/prompts';
import { offerResources, resource } from 'rxmcp/resources';
import { listRoots, offerRoots } from 'rxmcp/roots';
import { offerSampling, sample } from 'rxmcp/sampling';
import { offerTools, text, tool } from 'rxmcp/tools';
import type { Tool } from 'rxmcp/tools';

/** Every published revision. */
export const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;

/** A server that has something of everything, and what its test can see and do. */
export function scene() {
  const torn: string[] = [];
  const told: unknown[] = [];
  const value = new BehaviorSubject(1);
  const model = (ctx: Context, key: string, question: string) =>
    sample(ctx, key, {
      messages: [{ role: 'user', content: { type: 'text', text: question } }],
      maxTokens: 10,
    });
  const fixed: readonly Tool[] = [
    tool('echo', {}, (args) => text(JSON.stringify(args))),
    tool('count', {}, async function* (_args, ctx) {
      ctx.log('info', { at: 'start' });
      for (let n = 1; n <= 3; n += 1) yield progressItem(n, 3, `step ${String(n)}`);
      yield text('counted');
    }),
    tool('hang', {}, (_args, ctx) => {
      ctx.signal.addEventListener('abort', () => torn.push('hang'));
      return NEVER;
    }),
    tool('summarise', {}, async (_args, ctx) => {
      const answer = await model(ctx, 'a', 'how?');
      return text(`model said ${JSON.stringify(answer.content)}`);
    }),
    tool('form', {}, async (_args, ctx) => {
      const answer = await elicit(ctx, 'f', { message: 'who?', schema: form({ name: stringField() }) });
      return text(JSON.stringify(answer));
    }),
    tool('where', {}, async (_args, ctx) => {
      const roots = await listRoots(ctx, 'r');
      return text(roots.map(({ uri }) => uri).join(' '));
    }),
    tool('fails', {}, () => {
      throw new Error('secret');
    }),
  ];
  const tools = new BehaviorSubject(fixed);
  const server = defineServer({
    info: { name: 'behind', version: '1.2.3' },
    instructions: 'use it well',
    offers: [
      offerTools(tools),
      offerPrompts([prompt('hello', {}, () => 'Say hello.')]),
      offerResources([
        resource('v://now', {}, value.pipe(map(String))),
        resource('v://tick', {}, interval(5).pipe(take(3), map(String))),
      ]),
      offerLogging(),
      offerMethod('x/own', {}, (params) => ({ got: params })),
      offerNotification('x/tell', (params) => void told.push(params)),
    ],
  });
  return { server, torn, told, value, tools, fixed };
}

/** A client that can answer everything. */
export function answering(version: string, more: Partial<ClientOptions> = {}): Client {
  return defineClient({
    info: { name: 'desk', version: '9.9.9' },
    versions: [version],
    offers: [
      offerSampling(
        async () => ({
          role: 'assistant',
          content: { type: 'text', text: 'yes' },
          model: 'm',
          stopReason: 'endTurn',
        }),
        { approve: 'dangerouslyAlways' },
      ),
      offerElicitation(async () => ({ action: 'accept', content: { name: 'Ada' } })),
      offerRoots([{ uri: 'file:///here', name: 'here' }]),
    ],
    ...more,
  });
}

export type { Remote, Server };
