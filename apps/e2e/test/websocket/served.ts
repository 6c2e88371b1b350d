import { BehaviorSubject, concat, interval, map, NEVER, of, take } from 'rxjs';
import { defineServer, logItem, progressItem, type Server } from 'rxmcp';
import { elicit, form, stringField } from 'rxmcp/elicitation';
import { offerResources, resource } from 'rxmcp/resources';
import { offerTools, text, tool } from 'rxmcp/tools';
import * as z from 'zod';

/** A server with a bit of everything that a socket must carry, and what it saw. */
export interface Described {
  readonly server: Server;
  readonly temperature: BehaviorSubject<number>;
  /** How many calls of `hang` were torn down. */
  readonly torndown: () => number;
  /** Lets the calls of `slow` come to their result. */
  finish(): void;
}

export function described(): Described {
  const temperature = new BehaviorSubject(20);
  let torndown = 0;
  const finished = new BehaviorSubject(false);
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
  const greet = tool('greet', {}, async (_args, ctx) => {
    const answer = await elicit(ctx, 'name', { message: 'Who?', schema: form({ name: stringField() }) });
    return text(answer.action === 'accept' ? `Hello, ${answer.content.name}!` : answer.action);
  });
  const hang = tool('hang', {}, (_args, ctx) => {
    ctx.signal.addEventListener('abort', () => (torndown += 1));
    return NEVER;
  });
  const slow = tool('slow', {}, async () => {
    await new Promise<void>((resolve) => {
      finished.subscribe((isFinished) => isFinished && resolve());
    });
    return text('done');
  });
  const whoami = tool('whoami', {}, (_args, { caller }) => text(caller.principal ?? 'nobody'));
  const sensor = resource('sensor://temperature', { mimeType: 'text/plain' }, temperature.pipe(map(String)));
  const server = defineServer({
    info: { name: 'pond', version: '1.0.0' },
    offers: [offerTools([count, greet, hang, slow, whoami]), offerResources([sensor])],
  });
  return { server, temperature, torndown: () => torndown, finish: () => finished.next(true) };
}
