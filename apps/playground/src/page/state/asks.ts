import {
  BehaviorSubject,
  defer,
  finalize,
  firstValueFrom,
  fromEvent,
  map,
  type Observable,
  Subject,
  take,
  takeUntil,
  tap,
} from 'rxjs';
import { type Context, type Offer, RxmcpError } from 'rxmcp';
import { type FilledForm, offerElicitation } from 'rxmcp/elicitation';
import { offerRoots, type Root } from 'rxmcp/roots';
import { contentBlocks, type CreateMessageParams, offerSampling } from 'rxmcp/sampling';
import type { JsonSchema } from 'rxmcp/tools';
import { type Field, fieldsOf } from './fields.js';

/** What a person answers. */
export type Reply =
  | { readonly action: 'accept'; readonly args: Readonly<Record<string, unknown>> }
  | { readonly action: 'decline' | 'cancel' };

/** A request of a server that waits for a person. */
export interface Ask {
  readonly title: string;
  /** What the server says, paragraph by paragraph. */
  readonly texts: readonly string[];
  readonly warnings: readonly string[];
  readonly schema: JsonSchema;
  readonly fields: readonly Field[];
  /** What accepting it does: the label of its button. */
  readonly accept: string;
  answer(reply: Reply): void;
}

/** The requests of servers that wait for a person, the oldest first. */
export class Asks {
  readonly #waiting$ = new BehaviorSubject<readonly Ask[]>([]);
  readonly waiting$: Observable<readonly Ask[]> = this.#waiting$.asObservable();

  /** Returns what a client offers to servers: forms, pages, the person as a model, and roots if there are any. */
  offers(roots: readonly Root[]): readonly Offer[] {
    return [
      offerElicitation({
        form: ({ message, requestedSchema: schema, warnings }, ctx) => {
          const fields = fieldsOf(schema as unknown as JsonSchema);
          const shown = { texts: [message], warnings: warnings.map((one) => one.message), accept: 'Send' };
          return this.#ask({
            title: `${nameOf(ctx)} asks you`,
            schema: { ...schema },
            fields,
            ...shown,
          }).pipe(
            map((reply) =>
              reply.action === 'accept'
                ? { action: 'accept' as const, content: filled(fields, reply.args) }
                : { action: reply.action },
            ),
          );
        },
        url: ({ message, url, host, warnings }, ctx) =>
          this.#ask({
            title: `${nameOf(ctx)} asks you to open a page of ${host}`,
            texts: [message, url],
            warnings: warnings.map((one) => one.message),
            accept: 'Open the page',
          }).pipe(
            tap(({ action }) => action === 'accept' && window.open(url, '_blank', 'noopener,noreferrer')),
            map(({ action }) => ({ action })),
          ),
      }),
      offerSampling(
        (params, ctx) =>
          this.#ask({
            title: `${nameOf(ctx)} asks your model: you write the answer`,
            ...sampling(params),
          }).pipe(
            map((reply) => {
              if (reply.action !== 'accept')
                throw new RxmcpError('ASK_REJECTED', 'the user rejected the request');
              const content = { type: 'text' as const, text: String(reply.args['answer']) };
              return { role: 'assistant' as const, model: 'person', content };
            }),
          ),
        // The person who approves is the model.
        { approve: 'dangerouslyAlways' },
      ),
      ...(roots.length === 0 ? [] : [offerRoots(roots, { approve: (all, ctx) => this.#shares(all, ctx) })]),
    ];
  }

  #shares(roots: readonly Root[], ctx: Context): Promise<boolean> {
    const title = `${nameOf(ctx)} asks for your roots`;
    const answer$ = this.#ask({ title, texts: roots.map(({ uri }) => uri), accept: 'Share' }).pipe(
      map(({ action }) => action === 'accept'),
      takeUntil(fromEvent(ctx.signal, 'abort')),
    );
    return firstValueFrom(answer$, { defaultValue: false });
  }

  /** Shows a request until it is answered, or the server withdraws it. */
  #ask(shown: Partial<Ask> & Pick<Ask, 'title' | 'texts' | 'accept'>): Observable<Reply> {
    return defer(() => {
      const reply$ = new Subject<Reply>();
      const ask: Ask = {
        warnings: [],
        schema: {},
        fields: [],
        ...shown,
        answer: (reply) => reply$.next(reply),
      };
      this.#waiting$.next([...this.#waiting$.value, ask]);
      return reply$.pipe(
        take(1),
        finalize(() => this.#waiting$.next(this.#waiting$.value.filter((other) => other !== ask))),
      );
    });
  }
}

function nameOf({ caller }: Context): string {
  return caller.info === undefined ? 'The server' : `The server ${JSON.stringify(caller.info.name)}`;
}

/** A field that was emptied must not get its default. */
function filled(fields: readonly Field[], args: Readonly<Record<string, unknown>>): FilledForm {
  return Object.fromEntries(fields.map(({ name }) => [name, args[name]])) as FilledForm;
}

function sampling({ systemPrompt, messages, maxTokens }: CreateMessageParams) {
  const schema = { properties: { answer: { type: 'string', title: 'Answer' } }, required: ['answer'] };
  const said = messages.flatMap((message) =>
    contentBlocks(message).map(
      (block) => `${message.role}: ${block.type === 'text' ? block.text : `(${block.type})`}`,
    ),
  );
  const texts = [...(systemPrompt === undefined ? [] : [`system: ${systemPrompt}`]), ...said];
  return {
    texts: [...texts, `At most ${maxTokens} tokens.`],
    schema,
    fields: fieldsOf(schema),
    accept: 'Send',
  };
}
