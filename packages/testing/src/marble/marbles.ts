import { TestScheduler } from 'rxjs/testing';
import { equalDeep } from '../equal-deep.js';
import { listed } from './listed.js';

/** What a marble test works with: `cold`, `hot`, `expectObservable`, `expectSubscriptions`, `flush`, `time`, `animate`. */
export type MarbleHelpers = Parameters<Parameters<TestScheduler['run']>[0]>[0];

/**
 * Runs a marble test in the virtual time of RxJS; throws an error that shows both sequences of events when they differ.
 * Virtual are the timers of RxJS, not promises: feed your code streams of `cold` and `hot`. For code that talks to a remote
 * there is {@link wireMarbles}.
 */
export function marbles<T>(test: (helpers: MarbleHelpers) => T): T {
  return new TestScheduler((actual, expected) => {
    if (equalDeep(actual, expected)) return;
    throw new Error(`the events differ\n--- expected\n${listed(expected)}\n--- happened\n${listed(actual)}`);
  }).run(test);
}
