import { INVALID_PARAMS, type JsonObject } from '@rxmcp/jsonrpc';
import { processMemory } from '@rxmcp/transport';
import { HeldBytes } from '@rxmcp/transport/internal';
import { invalidResult, noMemory, type RpcError, RxmcpError } from '../../base/errors.js';
import { estimateBytes, memoryOf } from '../../base/json-size.js';
import type { PagesSpec } from '../../contract/remote-link.js';
import type { CallSink, Running } from '../../streams/call.js';
import type { RemoteCore } from '../remote-core.js';
import { startRun } from './start-run.js';

const maxPages = 192;
const maxEntries = 100_000;
const maxBytes = 64 * 1024 * 1024;
const maxCursor = 65_536;
/** The most characters of the name and the URI of an entry together: see `maxKeyLength`. */
const maxEntryKeys = 16_383;

/**
 * Reads a list page by page and emits all entries. Begins again where the server no longer knows a cursor. Ends with INVALID_RESULT
 * for a repeated or too long cursor, too many pages or entries, or pages that are too large together.
 */
export function walkPages<T>(core: RemoteCore, spec: PagesSpec<T>, sink: CallSink<readonly T[]>): Running {
  const { method, member, capability, decode, finish, options } = spec;
  const entries: T[] = [];
  // Not a Set: see `maxKeyLength`.
  const cursors: unknown[] = [];
  let run: Running | undefined;
  let over = false;
  let count = 0;
  let bytes = 0;
  let pages = 0;
  const held = new HeldBytes(processMemory(), core.latest.holder);

  const fail = (error: unknown): void => {
    // The list has changed, so that the server does not know the cursor any more.
    if (cursors.length > 0 && (error as RpcError).code === INVALID_PARAMS) {
      cursors.length = entries.length = count = bytes = 0;
      return page();
    }
    over = true;
    held.resize(0);
    // A missing capability means an empty list.
    if (RxmcpError.is(error, 'CAPABILITY_NOT_SUPPORTED') && cursors.length === 0) {
      sink.next([]);
      sink.complete();
    } else sink.error(error);
  };
  const broken = (what: string): void => fail(invalidResult(method, what));

  const page = (params?: JsonObject): void => {
    run = startRun(
      core,
      { method, params, capability, options },
      {
        failed: fail,
        result(result) {
          if (over) return;
          const found = result[member];
          if (!Array.isArray(found)) return broken(`has no "${member}"`);
          // Invalid entries count too, because each causes a fault.
          count += found.length;
          if (count > maxEntries) return broken(`has more than ${maxEntries} entries`);
          for (const entry of found) {
            const { name, uri } = Object(entry) as JsonObject;
            const isTooLong = String([name, uri]).length > maxEntryKeys;
            const value = isTooLong ? undefined : decode(entry);
            if (value === undefined)
              core.fault({ code: 'INVALID_ENTRY', message: `"${method}" lists an invalid entry` });
            else entries.push(value);
          }
          // An observer of these faults may have cancelled the list.
          if (over) return;
          bytes += estimateBytes(found, maxBytes);
          if (!held.resize(memoryOf(bytes))) return fail(noMemory(method));
          const { nextCursor } = result;
          // The empty string is a cursor; only an absent one ends the list.
          if (nextCursor == null) {
            over = true;
            core.heldResponses.keep(method, held);
            sink.next(finish === undefined ? entries : finish(entries));
            sink.complete();
          } else if (typeof nextCursor !== 'string' || nextCursor.length > maxCursor)
            broken(`has a cursor that is not a string of at most ${maxCursor} characters`);
          else if (cursors.includes(nextCursor)) broken('repeats a cursor');
          else if (++pages >= maxPages) broken(`has more than ${maxPages} pages`);
          // The last page may exceed the limit: the transport limits the size of one message.
          else if (bytes > maxBytes) broken(`is larger than ${maxBytes} bytes in all`);
          else {
            cursors.push(nextCursor);
            page({ cursor: nextCursor });
          }
        },
      },
    );
  };
  page();
  return {
    cancel: () => {
      if (over) return;
      over = true;
      held.resize(0);
      run?.cancel();
    },
  };
}
