import { afterAll, describe } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { table } from './cells.js';
import { closeSharedServers, serverColumns } from './servers/desk.js';
import { serverFeatures } from './servers/features.js';

/** Our client drives servers made with the official SDKs over stdio. */
describe('our client at official servers', () => {
  afterAll(closeSharedServers);
  // Where not all run, each server in one era, so that both eras are there.
  table(exhaustive ? serverColumns : serverColumns.filter(({ eras }) => eras === undefined), serverFeatures);
});
