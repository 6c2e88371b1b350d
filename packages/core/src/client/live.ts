import type { Observable, Subscription } from 'rxjs';
import { TransportError } from '@rxmcp/transport';
import type { Topic } from '../remote.js';
import { state } from '../streams/state.js';
import type { RemoteCore } from './remote-core.js';

/** A value read again whenever a topic changes, for any number of subscribers. */
export function liveValue<T>(
  remote: RemoteCore,
  topics: readonly Topic[],
  read: () => Observable<T>,
): Observable<T> {
  return state<T>((sink) => {
    let reading: Subscription | undefined;
    let stale = false;
    let open = true;
    const reread = (): void => {
      if (!open) return;
      if (reading !== undefined) {
        stale = true;
        return;
      }
      stale = false;
      const mine = read().subscribe({
        next: (value) => sink.next(value),
        error: (error: unknown) => {
          reading = undefined;
          // The loss of the connection is the remote's affair: it redials, or ends this state.
          if (TransportError.is(error)) return;
          sink.error(error);
        },
        complete: () => {
          reading = undefined;
          if (stale) reread();
        },
      });
      if (!mine.closed) reading = mine;
    };
    const unfollow = remote.feeds.follow(topics, {
      opened: reread,
      changed: reread,
      ended: (error) => (error === undefined ? sink.complete() : sink.error(error)),
    });
    // Without a topic nothing ever says that it is open.
    if (topics.length === 0) reread();
    const ended = remote.hasEnded;
    if (ended !== undefined)
      queueMicrotask(() => (ended.cause === undefined ? sink.complete() : sink.error(ended.cause)));
    return () => {
      open = false;
      unfollow();
      reading?.unsubscribe();
    };
  });
}
