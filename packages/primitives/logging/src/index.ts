export { offerLogging } from './offer.js';
export { logging } from './use.js';
export { logLevels } from './levels.js';
export type { Logging, LogLevel, LogRecord } from './types.js';
