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
  private readonly byKey = new Map<string, SharedRequest>();

  /** Joins the request of a key, or starts it. */
  join(
    key: string,
    subject: CacheSubject,
    begin: (flight: SharedRequest) => Observable<ResponseEvent>,
  ): Observable<ResponseEvent> {
    return callStream<ResponseEvent>((sink) => {
      const known = this.byKey.get(key);
      const flight = known ?? { subject, sinks: new Set(), isOld: false };
      flight.sinks.add(sink);
      if (known === undefined) this.start(key, flight, begin);
      return {
        cancel: () => {
          if (flight.sinks.delete(sink) && flight.sinks.size === 0) this.leave(key, flight);
        },
      };
    });
  }

  /** Lets no more callers join the requests concerned. Those who joined receive the result. */
  part(isConcerned: (subject: CacheSubject) => boolean): void {
    for (const [key, flight] of this.byKey) {
      if (!isConcerned(flight.subject)) continue;
      flight.isOld = true;
      this.byKey.delete(key);
    }
  }

  private readonly subscriptions = new WeakMap<SharedRequest, { unsubscribe(): void }>();

  private start(
    key: string,
    flight: SharedRequest,
    begin: (flight: SharedRequest) => Observable<ResponseEvent>,
  ): void {
    this.byKey.set(key, flight);
    const end = (how: (sink: CallSink<ResponseEvent>) => void): void => {
      if (this.byKey.get(key) === flight) this.byKey.delete(key);
      const all = [...flight.sinks];
      flight.sinks.clear();
      for (const sink of all) how(sink);
    };
    const subscription = begin(flight).subscribe({
      next: (event) => {
        // Each caller may change its copy.
        const [first, ...others] = flight.sinks;
        for (const sink of others) sink.next(structuredClone(event));
        first?.next(event);
      },
      error: (error) => end((sink) => sink.error(error)),
      complete: () => end((sink) => sink.complete()),
    });
    this.subscriptions.set(flight, subscription);
    if (flight.sinks.size === 0) subscription.unsubscribe();
  }

  private leave(key: string, flight: SharedRequest): void {
    if (this.byKey.get(key) === flight) this.byKey.delete(key);
    this.subscriptions.get(flight)?.unsubscribe();
  }
}
