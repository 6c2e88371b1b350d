import { TransportError } from '@rxmcp/transport';
import type { Observable, Subscription } from 'rxjs';
import { now, timer } from '../../base/clock.js';
import type { Topic } from '../../contract/remote-link.js';
import { state } from '../../streams/state.js';
import type { RemoteCore } from '../remote-core.js';
import { backOff, maxReopens } from './feeds.js';

/**
 * The shortest pause after a read, however fast the server announces changes. Twice the time is added that the read took, with what its
 * value caused here, and after a list all of it for each list that changes at the moment, so that no servers keep this process busy. The
 * latest change is always read.
 */
const paceMs = 50;
/** The longest pause: a read may have waited for a connection, or for the user. */
const maxPauseMs = 10_000;

/** When each list of this process that changes may be read again; while it is read, never. */
const changingLists = new Map<object, number>();

/**
 * Returns a value that is read again when a topic changes, for any number of subscribers.
 *
 * @param onRunning - called when the first subscriber comes, and when the last one has unsubscribed
 */
export function liveValue<T>(
  remote: RemoteCore,
  topics: readonly Topic[],
  read: () => Observable<T>,
  onRunning: (isRunning: boolean) => void,
): Observable<T> {
  return state<T>((sink) => {
    onRunning(true);
    let reading: Subscription | undefined;
    let stale = false;
    let open = true;
    let forget: (() => void) | undefined;
    /** When the value may be read again; undefined until the first read has ended. */
    let again: number | undefined;
    const isList = topics.some((topic) => 'list' in topic);
    /** How many reads in a row were cut. */
    let cuts = 0;
    let pause: ReturnType<typeof setTimeout> | undefined;
    let retry: ReturnType<typeof setTimeout> | undefined;
    // Without a topic no subscription reports that the connection is back.
    const whenBack = (): void => {
      forget = remote.whenOpen((opened) => {
        if (!(opened instanceof Error)) reread();
      }, false);
    };
    const reread = (): void => {
      clearTimeout(retry);
      if (!open || pause !== undefined) return;
      if (reading !== undefined) {
        stale = true;
        return;
      }
      const from = now();
      if (again !== undefined && again > from) {
        pause = timer(() => {
          pause = undefined;
          reread();
        }, again - from);
        return;
      }
      stale = false;
      if (isList && again !== undefined) changingLists.set(reread, Infinity);
      let session = remote.ready;
      // Registered before the read, which waits for the same session: a loss of that session is not a failure of
      // the read.
      if (session === undefined) {
        forget = remote.whenOpen((opened) => {
          if (!(opened instanceof Error)) session = opened;
        }, false);
      }
      const mine = read().subscribe({
        next: (value) => {
          cuts = 0;
          sink.next(value);
        },
        error: (error: unknown) => {
          reading = undefined;
          changingLists.delete(reread);
          // The remote handles a lost connection: it redials, or ends this state.
          if (session !== undefined && remote.ready === session) {
            // A session over HTTP outlives the connection of a request. A read may be repeated.
            if (!isCut(error) || ++cuts > maxReopens) sink.error(error);
            // A change, or a new subscription, reads it sooner.
            else retry = timer(reread, backOff(cuts));
          } else if (remote.ready !== undefined) reread();
          else if (topics.length === 0) whenBack();
        },
        complete: () => {
          reading = undefined;
          // The first read starts no pause: a change right after it is read at once.
          if (again === undefined) again = 0;
          else {
            const ended = now();
            for (const [list, until] of changingLists) if (until <= ended) changingLists.delete(list);
            again =
              ended + Math.min((paceMs + 2 * (ended - from)) * (isList ? changingLists.size : 1), maxPauseMs);
            if (isList) changingLists.set(reread, again);
          }
          if (stale) reread();
        },
      });
      if (!mine.closed) reading = mine;
    };
    const unfollow = remote.feeds.follow(topics, {
      opened: reread,
      changed: reread,
      ended: (error) => (remote.hasEnded === undefined ? sink.error(error) : sink.over(error)),
    });
    // Without a topic nothing calls `opened`.
    if (topics.length === 0) reread();
    const ended = remote.hasEnded;
    if (ended !== undefined) queueMicrotask(() => sink.over(ended.cause));
    return () => {
      open = false;
      changingLists.delete(reread);
      onRunning(false);
      clearTimeout(pause);
      clearTimeout(retry);
      unfollow();
      forget?.();
      reading?.unsubscribe();
    };
  });
}

function isCut(error: unknown): boolean {
  return TransportError.is(error) && (error.code === 'CONNECTION_LOST' || error.code === 'DIAL_FAILED');
}
