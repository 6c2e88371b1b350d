import { afterAll, describe } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { table } from './cells.js';
import { closeSharedDesks } from './clients/desk.js';
import { clientFeatures } from './clients/features.js';
import { v1Client } from './clients/v1-client.js';
import { v2Legacy, v2Modern } from './clients/v2-client.js';

/** The official clients drive `apps/server` over stdio. Needs a build. */
describe('official clients at our server', () => {
  afterAll(closeSharedDesks);
  // Where not all run, each client in one era, so that both eras are there.
  table(exhaustive ? [v1Client, v2Legacy, v2Modern] : [v1Client, v2Modern], clientFeatures);
});
