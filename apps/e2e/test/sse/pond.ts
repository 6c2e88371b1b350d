import { sse, type SseOptions } from '@rxmcp/sse';
import { serveSse, type ServeSseOptions, type SseServeHandle } from '@rxmcp/sse/node';
import { BehaviorSubject, concat, filter, firstValueFrom, interval, map, NEVER, of, take } from 'rxjs';
import { defineClient, defineServer, logItem, once, progressItem, type Remote, type Server } from 'rxmcp';
import { offerPrompts, prompt, user } from 'rxmcp/prompts';
import { offerResources, resource } from 'rxmcp/resources';
import { listRoots, offerRoots } from 'rxmcp/roots';
import { offerSampling, sample, messageText } from 'rxmcp/sampling';
import { offerTools, text, tool, tools } from 'rxmcp/tools';
import { onTestFinished } from 'vitest';
import * as z from 'zod';

/** A server with something of everything that the transport must carry, and what it saw. */
export interface Pond {
  readonly server: Server;
  readonly level: BehaviorSubject<number>;
  /** How many calls of `hang` run, and how many were torn down. */
  readonly hanging: { running: number; torndown: number };
  /** How many calls of `slow` and `ask` began. */
  readonly running: () => number;
  /** Lets the calls of `slow`, and those of `ask` that are late, go on. */
  finish(): void;
}

export function pond(): Pond {
  const level = new BehaviorSubject(20);
  const finished = new BehaviorSubject(false);
  const isFinished = (): Promise<boolean> => firstValueFrom(finished.pipe(filter(Boolean)));
  const hanging = { running: 0, torndown: 0 };
  let running = 0;
  const count = tool('count', { input: z.object({ to: z.number().int() }) }, ({ to }) =>
    concat(
      of(logItem('info', 'counting')),
      interval(2).pipe(
        take(to),
        map((at) => progressItem(at + 1, to)),
      ),
      of(text(`counted to ${String(to)}`)),
    ),
  );
  const ask = tool('ask', { input: z.object({ late: z.boolean().optional() }) }, async ({ late }, ctx) => {
    running += 1;
    if (late === true) await isFinished();
    const roots = await listRoots(ctx);
    const question = { role: 'user' as const, content: text(`A poem on ${String(roots[0]?.name)}`) };
    return text(messageText(await sample(ctx, 'poem', { messages: [question], maxTokens: 10 })));
  });
  const hang = tool('hang', {}, (_args, ctx) => {
    hanging.running += 1;
    ctx.signal.addEventListener('abort', () => (hanging.torndown += 1));
    return NEVER;
  });
  const slow = tool('slow', {}, async () => {
    running += 1;
    await isFinished();
    return text('done');
  });
  const whoami = tool('whoami', {}, (_args, { caller }) => text(caller.principal ?? 'nobody'));
  const big = tool('big', { input: z.object({ size: z.number() }) }, ({ size }) => text('x'.repeat(size)));
  const server = defineServer({
    info: { name: 'pond', version: '1.0.0' },
    offers: [
      offerTools([count, ask, hang, slow, whoami, big]),
      offerResources([resource('pond://level', { mimeType: 'text/plain' }, level.pipe(map(String)))]),
      offerPrompts([prompt('describe', {}, () => user('Describe the pond.'))]),
    ],
  });
  return { server, level, hanging, running: () => running, finish: () => finished.next(true) };
}

/** A pond that is served. */
export interface ServedPond extends Pond {
  readonly serving: SseServeHandle;
}

export async function servedPond(options: ServeSseOptions = {}): Promise<ServedPond> {
  const description = pond();
  const serving = await serveSse(description.server, options);
  onTestFinished(() => serving.close());
  return { ...description, serving };
}

/** Connects a client that answers what servers ask; it is closed with the test. */
export async function visitor(url: string, version?: string, options: SseOptions = {}): Promise<Remote> {
  const client = defineClient({
    info: { name: 'visitor', version: '1.0.0' },
    ...(version === undefined ? {} : { versions: [version] }),
    offers: [
      offerRoots([{ uri: 'file:///pond', name: 'the pond' }]),
      offerSampling(
        ({ messages: [question] }) => ({
          model: 'parrot',
          role: 'assistant',
          content: { type: 'text', text: `${JSON.stringify(question?.content)}!` },
        }),
        { approve: 'dangerouslyAlways' },
      ),
    ],
  });
  const remote = await client.connect(sse(url, options));
  onTestFinished(() => remote.close());
  return remote;
}

/** The text that a tool says. */
export async function say(remote: Remote, name: string, args: object = {}): Promise<string> {
  const { content } = await once(tools(remote).call(name, args));
  return content.map((block) => (block as { text?: string }).text ?? '').join('\n');
}
