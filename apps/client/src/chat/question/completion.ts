import { type CreateMessageParams, type CreateMessageResult, messageText, ModelError } from 'rxmcp/sampling';
import {
  catchError,
  concat,
  defer,
  finalize,
  from,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  Subject,
  throwError,
  timer,
} from 'rxjs';
import type { ChatEvent } from '../events.js';
import type { ChatModel } from '../model.js';

/** The completion of a model, which is last, after its text and waits. */
export type CompletionEvent =
  | Extract<ChatEvent, { type: 'text' | 'wait' }>
  | { readonly type: 'completion'; readonly result: CreateMessageResult };

/** A longer wait that an endpoint asks for ends the question. */
const maxWaitMs = 60_000;
const maxWaits = 3;

/** Asks the model. An endpoint that asks to wait is asked again later. Unsubscribing cancels the request. */
export function completion(model: ChatModel, params: CreateMessageParams): Observable<CompletionEvent> {
  return defer(() => {
    let [waits, hasText] = [0, false];
    const attempt = (): Observable<CompletionEvent> =>
      once(model, params, () => (hasText = true)).pipe(
        catchError((error: unknown) => {
          const waitMs = error instanceof ModelError && error.retryable ? error.retryAfterMs : undefined;
          if (waitMs === undefined || waitMs > maxWaitMs || hasText || ++waits > maxWaits)
            return throwError(() => error);
          const wait = { type: 'wait', waitMs, reason: (error as Error).message } as const;
          return concat(of(wait), timer(waitMs).pipe(ignoreElements()), defer(attempt));
        }),
      );
    return attempt();
  });
}

function once(
  model: ChatModel,
  params: CreateMessageParams,
  onText: () => void,
): Observable<CompletionEvent> {
  return defer(() => {
    const aborting = new AbortController();
    const texts$ = new Subject<string>();
    let hasText = false;
    const take = (text: string): void => {
      hasText = true;
      onText();
      texts$.next(text);
    };
    const result = Promise.resolve().then(() => model(params, { signal: aborting.signal, onText: take }));
    const completed$ = from(result).pipe(
      mergeMap((answer) => {
        const text = hasText ? '' : messageText(answer);
        const whole: CompletionEvent[] = text === '' ? [] : [{ type: 'text', text }];
        return [...whole, { type: 'completion', result: answer } as const];
      }),
      finalize(() => texts$.complete()),
    );
    return merge(texts$.pipe(map((text) => ({ type: 'text', text }) as const)), completed$).pipe(
      finalize(() => aborting.abort()),
    );
  });
}
