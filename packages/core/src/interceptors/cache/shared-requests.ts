import type { Observable } from 'rxjs';
import type { ExchangeEvent } from '../../contract/interceptor.js';
import type { CallSink } from '../../streams/call.js';
import { callStream } from '../../streams/call.js';
import type { CacheSubject } from './cache-store.js';

/** One exchange that several callers wait for. */
export interface Flight {
  readonly subject: CacheSubject;
  readonly sinks: Set<CallSink<ExchangeEvent>>;
  /** What it gives may be old already. */
  isOld: boolean;
}

/** The exchanges under way: who asks the same joins the one that there is, and the last to leave takes it back. */
export class Flights {
  private readonly byKey = new Map<string, Flight>();

  /** Joins the exchange of a key, or begins it. */
  join(
    key: string,
    subject: CacheSubject,
    begin: (flight: Flight) => Observable<ExchangeEvent>,
  ): Observable<ExchangeEvent> {
    return callStream<ExchangeEvent>((sink) => {
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

  /** Nobody joins these any more; those who did get what comes. */
  part(isConcerned: (subject: CacheSubject) => boolean): void {
    for (const [key, flight] of this.byKey) {
      if (!isConcerned(flight.subject)) continue;
      flight.isOld = true;
      this.byKey.delete(key);
    }
  }

  private readonly subscriptions = new WeakMap<Flight, { unsubscribe(): void }>();

  private start(key: string, flight: Flight, begin: (flight: Flight) => Observable<ExchangeEvent>): void {
    this.byKey.set(key, flight);
    const end = (how: (sink: CallSink<ExchangeEvent>) => void): void => {
      if (this.byKey.get(key) === flight) this.byKey.delete(key);
      const all = [...flight.sinks];
      flight.sinks.clear();
      for (const sink of all) how(sink);
    };
    const subscription = begin(flight).subscribe({
      next: (event) => {
        // Each may change what it gets.
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

  private leave(key: string, flight: Flight): void {
    if (this.byKey.get(key) === flight) this.byKey.delete(key);
    this.subscriptions.get(flight)?.unsubscribe();
  }
}
