import { BehaviorSubject, concat, map, of, range } from 'rxjs';
import { defineServer, offerMethod, progressItem, type Server } from 'rxmcp';
import { elicit, form, stringField } from 'rxmcp/elicitation';
import { offerResources, resource } from 'rxmcp/resources';
import { listRoots } from 'rxmcp/roots';
import { sample, messageText } from 'rxmcp/sampling';
import { offerTools, text, tool } from 'rxmcp/tools';
import * as z from 'zod';

const greet = tool('greet', { input: z.object({ name: z.string() }) }, ({ name }, { caller }) =>
  text(`Hello, ${name}, from ${caller.principal ?? 'anonymous'}`),
);

const count = tool('count', { input: z.object({ to: z.number().int() }) }, ({ to }) =>
  concat(range(1, to).pipe(map((done) => progressItem(done, to))), of(text(`Counted to ${String(to)}.`))),
);

/** Asks for everything that a server may ask for. */
const interview = tool('interview', {}, async (_args, ctx) => {
  const roots = await listRoots(ctx);
  const poem = await sample(ctx, 'poem', {
    messages: [{ role: 'user', content: text(`a poem on ${roots[0]?.uri ?? 'nothing'}`) }],
    maxTokens: 50,
  });
  const answer = await elicit(ctx, 'title', {
    message: 'Which title?',
    schema: form({ title: stringField() }),
  });
  const title = answer.action === 'accept' ? answer.content.title : answer.action;
  return text(`${title}: ${messageText(poem)}`);
});

/** A call that reports its beginning and how it ended. */
export interface Waiting {
  begun: number;
  cancelled: number;
}

/** What is mounted everywhere: it greets, counts, asks, waits, and shows a value that changes. */
export function desk(waiting: Waiting = { begun: 0, cancelled: 0 }): Server {
  const value = new BehaviorSubject('one');
  const wait = tool('wait', {}, (_args, ctx) => {
    waiting.begun += 1;
    return new Promise<never>((_resolve, reject) => {
      ctx.signal.addEventListener('abort', () => {
        waiting.cancelled += 1;
        reject(new Error('cancelled'));
      });
    });
  });
  const change = offerMethod('desk/change', {}, ({ to }) => {
    value.next(String(to));
    return {};
  });
  return defineServer({
    info: { name: 'desk', version: '1.0.0' },
    offers: [
      change,
      offerTools([greet, count, interview, wait]),
      offerResources([resource('desk://value', {}, value)]),
    ],
  });
}
