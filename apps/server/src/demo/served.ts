import { type Observable, concat, filter, finalize, map, NEVER, of, ReplaySubject, take } from 'rxjs';
import { type Server, offerMethod, offerNotification, progressItem } from 'rxmcp';
import { tool } from 'rxmcp/tools';
import * as z from 'zod';
import { demoServer } from '../demo-server.js';

const nonce = z.object({ nonce: z.string().max(100) });

/**
 * The demo server with what the demo needs to see its other side: a tool that never ends, and methods and notifications of
 * its own. A primitive that is broken is left out.
 */
export function servedFolder(root: string, broken?: Primitive): Promise<Server> {
  const released = new ReplaySubject<string>(100);
  const received = new ReplaySubject<unknown>(100);
  const hold = tool('hold', { description: 'Works until it is cancelled.', input: nonce }, (args) =>
    concat(of(progressItem(1, undefined, args.nonce)), NEVER).pipe(finalize(() => released.next(args.nonce))),
  );
  const own = [
    offerMethod('demo/released', { params: nonce }, (params) => answered(released, params.nonce)),
    offerNotification('demo/said', (params) => received.next(params.nonce)),
    offerMethod('demo/received', { params: nonce }, (params, ctx) =>
      answered(received, params.nonce).pipe(
        map((answer) => {
          ctx.notify('demo/notified', answer);
          return answer;
        }),
      ),
    ),
  ];
  return demoServer({
    root,
    tools: [hold],
    adapt: (offers) => [...offers.filter(({ name }) => name !== broken), ...own],
  });
}

function answered(seen: Observable<unknown>, wanted: string): Observable<{ nonce: string }> {
  return seen.pipe(
    filter((one) => one === wanted),
    take(1),
    map(() => ({ nonce: wanted })),
  );
}

/** What can be broken on purpose: what a server offers is left out, what a client answers is false. */
export const primitives = [
  'tools',
  'resources',
  'prompts',
  'sampling',
  'roots',
  'elicitation',
  'logging',
  'completion',
] as const;

/** One of the {@link primitives}. */
export type Primitive = (typeof primitives)[number];

/** Whether a word names a primitive. */
export function isPrimitive(word: string): word is Primitive {
  return (primitives as readonly string[]).includes(word);
}
