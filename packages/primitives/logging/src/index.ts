export type { LogLevel, LogRecord } from '@rxmcp/core';
export { logging, logLevels, offerLogging } from './logging.js';
export type { Logging } from './logging.js';
