import type { CallEvent, CallOptions, Context, JsonObject, LogItem, ProgressItem, Remote } from '@rxmcp/core';
import { log, progress } from '@rxmcp/core';
import type { Observable } from 'rxjs';
import { catchError, defer, map, throwError } from 'rxjs';
import { failureOf, unavailable } from './errors.js';
import type { InnerServer } from './inner-server.js';
import { callOptions } from './inner-server.js';

/** Passes a request on. Unsubscribing cancels it at the other server. */
export function forward(
  server: InnerServer,
  ctx: Context,
  call: (remote: Remote, options: CallOptions) => Observable<CallEvent<JsonObject>>,
): Observable<JsonObject | ProgressItem | LogItem> {
  return defer(() => {
    const { remote } = server;
    if (remote === undefined) throw unavailable(server.name, server.cause);
    return call(remote, callOptions(ctx)).pipe(map(itemOf));
  }).pipe(catchError((error: unknown) => throwError(() => failureOf(server.name, error))));
}

function itemOf(event: CallEvent<JsonObject>): JsonObject | ProgressItem | LogItem {
  switch (event.type) {
    case 'progress':
      return progress(event.progress, event.total, event.message);
    case 'log':
      return log(event.level, event.data, event.logger);
    case 'result':
      return event.result;
  }
}

/** Results pass as they are. */
export const whole = (result: JsonObject): JsonObject => result;
