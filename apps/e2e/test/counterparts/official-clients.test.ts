import { afterAll, describe } from 'vitest';
import { table } from './cells.js';
import { closeSharedDesks } from './clients/desk.js';
import { clientFeatures } from './clients/features.js';
import { v1Client } from './clients/v1-client.js';
import { v2Legacy, v2Modern } from './clients/v2-client.js';

/** The official clients drive `apps/server` over stdio. Needs a build. */
describe('official clients at our server', () => {
  afterAll(closeSharedDesks);
  table([v1Client, v2Legacy, v2Modern], clientFeatures);
});
