import { afterAll, describe } from 'vitest';
import { table } from './cells.js';
import { closeSharedServers, serverColumns } from './servers/desk.js';
import { serverFeatures } from './servers/features.js';

/** Our client drives servers made with the official SDKs over stdio. */
describe('our client at official servers', () => {
  afterAll(closeSharedServers);
  table(serverColumns, serverFeatures);
});
