import type { LogLevel } from '@rxmcp/core';
import { logLevels as levels } from '@rxmcp/core/internal';

/** The severities of syslog, from the least to the gravest (RFC 5424). */
export const logLevels: readonly LogLevel[] = levels;
