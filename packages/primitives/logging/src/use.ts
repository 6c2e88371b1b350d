import type { Remote } from '@rxmcp/core';
import { McpError } from '@rxmcp/core';
import { attached, logLevels } from '@rxmcp/core/internal';
import type { Observable } from 'rxjs';
import { defer } from 'rxjs';
import type { Logging } from './types.js';

/** The log of a server: what it says, and from which level on. */
export const logging: (remote: Remote) => Logging = attached((inner) => ({
  records$: inner.records$,
  setLevel(level) {
    if (!logLevels.includes(level)) {
      return failing(() => new TypeError(`"${String(level)}" is no log level: ${logLevels.join(', ')}`));
    }
    if (!inner.has('logging')) {
      return failing(() => new McpError('CAPABILITY_ABSENT', 'this server does not log to its clients'));
    }
    return inner.setLogLevel(level);
  },
}));

// A call never ends inside subscribe.
function failing(error: () => Error): Observable<never> {
  return defer(() => Promise.reject(error()));
}
