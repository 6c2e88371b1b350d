import type { Observable } from 'rxjs';
import type { ResponseEvent } from '../../contract/interceptor.js';
import type { CallSink } from '../../streams/call.js';
import { callStream } from '../../streams/call.js';
import type { CacheSubject } from './cache-store.js';

/** One request that several callers wait for. */
export interface SharedRequest {
  readonly subject: CacheSubject;
  readonly sinks: Set<CallSink<ResponseEvent>>;
  /** True if a change was reported after the request began. */
  isOld: boolean;
}

/** Shares requests in progress among callers with the same key. The last caller that unsubscribes cancels the request. */
export class SharedRequests {
  readonly #byKey = new Map<string, SharedRequest>();

  /** Joins the request of a key, or starts it. */
  join(
    key: string,
    subject: CacheSubject,
    begin: (shared: SharedRequest) => Observable<ResponseEvent>,
  ): Observable<ResponseEvent> {
    return callStream<ResponseEvent>((sink) => {
      const known = this.#byKey.get(key);
      const shared = known ?? { subject, sinks: new Set(), isOld: false };
      shared.sinks.add(sink);
      if (known === undefined) this.#start(key, shared, begin);
      return {
        cancel: () => {
          if (shared.sinks.delete(sink) && shared.sinks.size === 0) this.#leave(key, shared);
        },
      };
    });
  }

  /** Lets no more callers join the requests concerned. Those who joined receive the result. */
  detach(isConcerned: (subject: CacheSubject) => boolean): void {
    for (const [key, shared] of this.#byKey) {
      if (!isConcerned(shared.subject)) continue;
      shared.isOld = true;
      this.#byKey.delete(key);
    }
  }

  readonly #subscriptions = new WeakMap<SharedRequest, { unsubscribe(): void }>();

  #start(
    key: string,
    shared: SharedRequest,
    begin: (shared: SharedRequest) => Observable<ResponseEvent>,
  ): void {
    this.#byKey.set(key, shared);
    const end = (how: (sink: CallSink<ResponseEvent>) => void): void => {
      if (this.#byKey.get(key) === shared) this.#byKey.delete(key);
      const all = [...shared.sinks];
      shared.sinks.clear();
      for (const sink of all) how(sink);
    };
    const subscription = begin(shared).subscribe({
      next: (event) => {
        // Each caller may change its copy.
        const [first, ...others] = shared.sinks;
        for (const sink of others) sink.next(structuredClone(event));
        first?.next(event);
      },
      error: (error) => end((sink) => sink.error(error)),
      complete: () => end((sink) => sink.complete()),
    });
    this.#subscriptions.set(shared, subscription);
    if (shared.sinks.size === 0) subscription.unsubscribe();
  }

  #leave(key: string, shared: SharedRequest): void {
    if (this.#byKey.get(key) === shared) this.#byKey.delete(key);
    this.#subscriptions.get(shared)?.unsubscribe();
  }
}
