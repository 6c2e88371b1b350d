import { describe } from 'vitest';
import { table } from './cells.js';
import { serverColumns } from './servers/desk.js';
import { serverFeatures } from './servers/features.js';

/** Our client drives servers made with the official SDKs over stdio. */
describe('our client at official servers', () => {
  table(serverColumns, serverFeatures);
});
