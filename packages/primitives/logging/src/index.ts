export type { LogLevel, LogRecord } from '@rxmcp/core';
export { logging, logLevels, offerLogging, type Logging } from './logging.js';
