import type { Context, JsonObject, LogItem, HandlerResult, ProgressItem, Subscribable } from '@rxmcp/core';
import { RxmcpError } from '@rxmcp/core';
import { type PreparedResult, mapHandlerResult, quoted, settleResult, timer } from '@rxmcp/core/internal';
import { contentsOf } from '../definition/contents.js';
import { type Readable, isSubscribable } from '../definition/resource.js';
import type { Cell, Cells, Party } from './shared-value.js';
import { RunContext } from './run-context.js';

/** Reads a resource for one request. Concurrent reads of a changing value share one subscription. */
export function readResource(
  found: Readable,
  ctx: Context,
  cells: Cells,
): HandlerResult<JsonObject | PreparedResult> {
  const { source } = found;
  switch (source.kind) {
    case 'fixed':
      return source.result;
    case 'promised':
      return mapHandlerResult(source.value, (value) => resultOf(found, value));
    case 'live':
      return firstValue(found, (party) => {
        const shared = cells.get(source.values, '');
        const cell = shared ?? cells.open(source.values, '');
        const leave = cell.join(party);
        if (!cell.alive) cell.follow(source.values);
        return leave;
      });
    case 'forwarded':
      return source.read(ctx);
    case 'made':
      return readMade(found, source, ctx, cells);
  }
}

/** The key of a shared run: all callers, or one principal; anonymous callers count as one. */
export function keyOf({ uri, shared }: Readable, principal: string | undefined): string {
  return `${shared ? 's' : principal === undefined ? 'a' : `p${principal}`}\0${uri}`;
}

type Made = Extract<Readable['source'], { kind: 'made' }>;

function readMade(found: Readable, source: Made, ctx: Context, cells: Cells): HandlerResult<JsonObject> {
  const key = keyOf(found, ctx.caller.principal);
  const joined = cells.get(source.by, key);
  if (joined?.alive === true) return firstValue(found, (party) => joinMade(found, source, ctx, cells, party));
  const run = new RunContext({ ctx }, found.shared);
  const output = source.make(run);
  if (!isSubscribable(output)) return mapHandlerResult(output, (value) => resultOf(found, value));
  return firstValue(found, (party) =>
    startMade(cells.get(source.by, key) ?? cells.open(source.by, key), output, run, party),
  );
}

/** Joins a shared run, or starts one. */
function joinMade(found: Readable, source: Made, ctx: Context, cells: Cells, party: Party): () => void {
  const key = keyOf(found, ctx.caller.principal);
  const joined = cells.get(source.by, key);
  if (joined?.alive === true) return joined.join(party);
  const run = new RunContext({ ctx }, found.shared);
  const output = source.make(run);
  if (isSubscribable(output)) return startMade(joined ?? cells.open(source.by, key), output, run, party);
  return settleResult(output, {
    done: (value) => party.value(value, false),
    failed: (error) => party.failed(error),
    empty: () => party.empty(),
    report: (item) => party.report(item),
  });
}

function startMade(cell: Cell, output: Subscribable<unknown>, run: RunContext, party: Party): () => void {
  const leave = cell.join(party);
  // Another reader may have started the cell since the run was made.
  if (cell.alive) {
    run.end();
    return leave;
  }
  run.keep();
  run.onAsk = () => cell.keepFor(party);
  cell.follow(output, () => run.end());
  return leave;
}

/** The output of a read that waits for the first value of a cell. */
function firstValue(
  found: Readable,
  join: (party: Party) => () => void,
): Subscribable<JsonObject | ProgressItem | LogItem> {
  return {
    subscribe(to) {
      let open = true;
      let leave: (() => void) | undefined;
      const end = (): boolean => {
        if (!open) return false;
        open = false;
        clearTimeout(alarm);
        leave?.();
        return true;
      };
      const alarm = timer(() => {
        if (end()) to.error(silent(found));
      }, found.readTimeoutMs);
      const come = (): void => {
        try {
          leave = join(party);
        } catch (error) {
          if (end()) to.error(error);
        }
        if (!open) leave?.();
      };
      const party: Party = {
        value(value) {
          if (!end()) return;
          try {
            to.next(resultOf(found, value));
          } catch (error) {
            to.error(error);
          }
        },
        failed: (error) => {
          if (end()) to.error(error);
        },
        empty: () => {
          if (end()) to.complete();
        },
        report: (item) => to.next(item),
        again: () => {
          if (open) come();
        },
      };
      come();
      return { unsubscribe: () => void end() };
    },
  };
}

function resultOf({ uri, mimeType }: Readable, value: unknown): JsonObject {
  if (value === null) throw resourceNotFound(uri);
  return { contents: contentsOf(value, uri, mimeType) };
}

/** The error for an unknown URI; `narrow` is a variable that would match if it took many segments. */
export function resourceNotFound(uri: string, narrow?: string): RxmcpError {
  const hint = narrow === undefined ? '' : `: {${narrow}} is one segment, {+${narrow}} would take many`;
  return new RxmcpError('RESOURCE_NOT_FOUND', `no resource ${quoted(uri)}${hint}`, { data: { uri } });
}

function silent({ uri, readTimeoutMs }: Readable): RxmcpError {
  const message = `resource ${quoted(uri)} returned no value within ${readTimeoutMs} ms`;
  return new RxmcpError('RESOURCE_TIMEOUT', message, { retryable: true });
}
