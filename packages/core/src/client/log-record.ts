import type { JsonObject } from '@rxmcp/jsonrpc';
import { logLevels } from '../items.js';
import type { LogLevel } from '../items.js';
import { lostKey } from '../lost-key.js';
import type { LogRecord } from '../remote.js';

/** Reads the parameters of a `notifications/message`; undefined for a level that there is not. */
export function recordOf(params: JsonObject): LogRecord | undefined {
  const { level, data, logger } = params;
  if (!logLevels.includes(level as LogLevel)) return undefined;
  const lost = (params._meta as JsonObject | undefined)?.[lostKey];
  return {
    level: level as LogLevel,
    data,
    ...(typeof logger === 'string' ? { logger } : {}),
    ...(typeof lost === 'number' ? { lost } : {}),
  };
}
