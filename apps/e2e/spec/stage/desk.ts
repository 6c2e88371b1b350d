import { BehaviorSubject, concat, of } from 'rxjs';
import type { Server, ServerOptions, Subscribable } from 'rxmcp';
import { defineServer, logItem, progressItem } from 'rxmcp';
import { elicit, form, stringField } from 'rxmcp/elicitation';
import { offerLogging } from 'rxmcp/logging';
import type { Prompt } from 'rxmcp/prompts';
import { offerPrompts, prompt, user } from 'rxmcp/prompts';
import type { Resource } from 'rxmcp/resources';
import { offerResources, resource, template } from 'rxmcp/resources';
import { listRoots } from 'rxmcp/roots';
import { sample } from 'rxmcp/sampling';
import type { Tool, ToolResult } from 'rxmcp/tools';
import { offerTools, text, tool } from 'rxmcp/tools';
import * as z from 'zod';

/** A server that has all that requirements speak of, and what a test can change of it. */
export interface Desk {
  readonly server: Server;
  readonly tools: BehaviorSubject<readonly Tool[]>;
  readonly prompts: BehaviorSubject<readonly Prompt[]>;
  readonly resources: BehaviorSubject<readonly Resource[]>;
  readonly clock: BehaviorSubject<string>;
  /** How often `slow` is at work. */
  slow(): number;
  /** The reason for which the last `slow` was stopped. */
  why(): unknown;
}

/** Makes one. */
export function desk(options: Partial<ServerOptions> = {}): Desk {
  let running = 0;
  let reason: unknown;
  const clock = new BehaviorSubject('12:00');
  const slow = tool('slow', {}, (_args, ctx): Subscribable<ToolResult> => {
    const { signal } = ctx;
    signal.addEventListener('abort', () => (reason = signal.reason));
    return {
      subscribe() {
        running += 1;
        return { unsubscribe: () => void (running -= 1) };
      },
    };
  });
  const tools = new BehaviorSubject<readonly Tool[]>([...fixedTools, slow]);
  const prompts = new BehaviorSubject<readonly Prompt[]>(fixedPrompts);
  const resources = new BehaviorSubject<readonly Resource[]>([
    resource('test://text', { mimeType: 'text/plain' }, 'A text.'),
    resource('test://bytes', { mimeType: 'image/png' }, () => new Uint8Array([137, 80, 78, 71])),
    resource('test://clock', { mimeType: 'text/plain' }, clock),
    resource('test://asking', {}, async (_vars, ctx) => (await listRoots(ctx)).map(({ uri }) => uri).join()),
    resource('test://broken', {}, () => {
      throw new Error('secret');
    }),
    resource('test://gone', {}, () => null),
    template('file:///{path}', { name: 'files' }, ({ path }) =>
      path === 'a.txt' ? 'A file.' : null,
    ) as never,
  ]);
  const server = defineServer({
    info: { name: 'desk', version: '1.2.3' },
    offers: [
      offerTools(tools, { pageSize: 5 }),
      offerPrompts(prompts, { pageSize: 2 }),
      offerResources(resources),
      offerLogging(),
    ],
    ...options,
  });
  return { server, tools, prompts, resources, clock, slow: () => running, why: () => reason };
}

const who = form({ name: stringField() });

const fixedTools: readonly Tool[] = [
  tool('add', { input: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => text(String(a + b))),
  tool(
    'sum',
    { input: z.object({ of: z.array(z.number()) }), output: z.object({ sum: z.number() }) },
    ({ of: all }) => ({ sum: all.reduce((a, b) => a + b, 0) }),
  ),
  tool('liar', { output: z.object({ sum: z.number() }) }, () => ({ sum: 'many' }) as never),
  tool('steps', {}, () =>
    concat(
      of(progressItem(1, 3), progressItem(1, 3), progressItem(2, 3, 'nearly'), progressItem(3, 3)),
      of(text('done')),
    ),
  ),
  tool('chatty', {}, () =>
    concat(of(logItem('info', 'a detail'), logItem('error', 'a mishap')), of(text('done'))),
  ),
  tool('greet', {}, async (_args, ctx) => {
    const answer = await elicit(ctx, 'who', { message: 'Who is there?', schema: who });
    return text(answer.action === 'accept' ? `Hello, ${answer.content.name}` : answer.action);
  }),
  tool('both', {}, async (_args, ctx) => {
    const [name, roots] = await Promise.all([
      elicit(ctx, 'who', { message: 'Who is there?', schema: who }),
      listRoots(ctx, 'where'),
    ]);
    return text(`${name.action} ${roots.length}`);
  }),
  tool('think', {}, async (_args, ctx) => {
    const said = await sample(ctx, 'thought', {
      messages: [{ role: 'user', content: text('Think.') }],
      maxTokens: 7,
    });
    return text(said.model);
  }),
  tool('broken', {}, () => {
    throw new Error('secret');
  }),
  tool(
    'routed',
    {
      input: z.object({
        city: z.string().nullish().meta({ 'x-mcp-header': 'City' }),
        floor: z.number().int().optional().meta({ 'x-mcp-header': 'Floor' }),
      }),
    },
    ({ city }) => text(String(city)),
  ),
];

const fixedPrompts: readonly Prompt[] = [
  prompt('brief', { arguments: [{ name: 'topic', required: true }] }, ({ topic }) =>
    user(`On ${String(topic)}.`),
  ),
  prompt('ask', {}, async (_args, ctx) => user(String((await listRoots(ctx)).length))),
  prompt('picture', {}, () => user({ type: 'image', data: 'iVBORw==', mimeType: 'image/png' })),
  prompt('broken', {}, () => {
    throw new Error('secret');
  }),
];
