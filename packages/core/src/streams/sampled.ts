import { Observable } from 'rxjs';
import { eachSecond } from '../stats/pulse.js';

/**
 * A status that is read when somebody looks: every subscriber gets the value of the moment at once, then again each second.
 * Never ends.
 *
 * @stream status
 */
export function sampled<T>(read: () => T): Observable<T> {
  return new Observable<T>((subscriber) => {
    // Before the first value: whoever leaves while it is told has to be let go.
    subscriber.add(eachSecond(() => subscriber.next(read())));
    subscriber.next(read());
  });
}
