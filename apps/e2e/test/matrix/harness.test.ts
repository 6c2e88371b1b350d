import { pipeTraits } from '@rxmcp/transport';
import { describe, expect, it } from 'vitest';
import { carriers } from './carriers.js';
import { forbids, servedBy } from './harness.js';
import { revisions } from './revisions.js';

const [modern, legacy] = revisions as [(typeof revisions)[number], (typeof revisions)[number]];

describe('the matrix', () => {
  it('runs a pair whose traits are available', () => {
    expect(forbids(pipeTraits, { serverInitiates: true }, legacy)).toBeUndefined();
    expect(forbids(pipeTraits, undefined, modern)).toBeUndefined();
  });

  it('names the trait that forbids a pair', () => {
    expect(
      forbids(
        { ...pipeTraits, serverInitiates: false },
        { clientReplies: true, serverInitiates: true },
        legacy,
      ),
    ).toBe('serverInitiates = false');
    expect(forbids({ ...pipeTraits, versions: ['2025-11-25'] }, {}, modern)).toBe('versions = 2025-11-25');
  });

  describe.each(carriers)('over $name', (carrier) => {
    it('states the traits that its connections have', async () => {
      const place = await servedBy(carrier, 'basic');
      const connection = await place.transport.dial();
      expect(connection.traits).toEqual(carrier.traits);
      connection.start({
        received: () => undefined,
        laneClosed: () => undefined,
        fault: () => undefined,
        closed: () => undefined,
      });
      await connection.close();
    });
  });
});
