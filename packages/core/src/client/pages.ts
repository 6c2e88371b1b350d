import { McpError } from '../errors.js';
import type { PagesSpec } from '../remote.js';
import type { CallSink, Running } from '../streams/call.js';
import type { RemoteCore } from './remote-core.js';
import { CallRun } from './run.js';

const maxPages = 64;

/** Walks a list page by page and emits all of it. A cursor that repeats, or too many pages, ends it with an error. */
export function walkPages<T>(core: RemoteCore, spec: PagesSpec<T>, sink: CallSink<readonly T[]>): Running {
  const { method, member, capability, decode, options } = spec;
  const entries: T[] = [];
  const cursors = new Set<unknown>();
  let run: Running | undefined;
  let over = false;

  const fail = (error: unknown): void => {
    over = true;
    // An absent capability is an empty list, not an error.
    if (McpError.is(error, 'CAPABILITY_ABSENT') && cursors.size === 0) {
      sink.next([]);
      sink.complete();
    } else sink.error(error);
  };
  const broken = (what: string): void =>
    fail(new McpError('INVALID_RESULT', `the result of "${method}" ${what}`, { outcome: 'answered' }));

  const page = (cursor: string | undefined): void => {
    const params = cursor === undefined ? undefined : { cursor };
    run = new CallRun(
      core,
      { method, params, capability, options },
      {
        failed: fail,
        result(result) {
          if (over) return;
          const found = result[member];
          if (!Array.isArray(found)) return broken(`has no "${member}"`);
          for (const entry of found) {
            const value = decode(entry);
            if (value === undefined)
              core.fault({ code: 'INVALID_ENTRY', message: `"${method}" lists something that is no entry` });
            else entries.push(value);
          }
          const { nextCursor } = result;
          // The empty string is a cursor; only an absent one ends the list.
          if (nextCursor === undefined || nextCursor === null) {
            over = true;
            sink.next(entries);
            sink.complete();
          } else if (typeof nextCursor !== 'string') broken('has a cursor that is no string');
          else if (cursors.has(nextCursor)) broken('repeats a cursor');
          else if (cursors.size + 1 >= maxPages) broken(`has more than ${maxPages} pages`);
          else {
            cursors.add(nextCursor);
            page(nextCursor);
          }
        },
      },
    );
  };
  page(undefined);
  return {
    cancel: () => {
      over = true;
      run?.cancel();
    },
  };
}
