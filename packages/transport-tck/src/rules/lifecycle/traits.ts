import { type Traits, TransportError } from '@rxmcp/transport';
import { assert, equal } from '../../base/assert.js';
import { expectTransportError } from '../../harness/expectations.js';
import { lateArrivals } from '../../base/clock.js';
import { expectEcho, requestResult } from '../../harness/echo.js';
import { onClient, onPair, type Rule, type SkipCondition } from '../rule.js';
import { all, requiresLocalServer } from '../skip-conditions.js';

const unless =
  (trait: 'serverInitiates' | 'clientReplies' | 'carriesHeaders' | 'redialable'): SkipCondition =>
  ({ traits, servedTraits }) => {
    const bySide = trait === 'redialable' || trait === 'carriesHeaders';
    const claimed = traits[trait] && (bySide || servedTraits[trait]);
    return claimed ? `traits.${trait} is true` : undefined;
  };

/** Rules about traits that change, and about those that are not claimed. */
export const traits: readonly Rule[] = [
  {
    id: 'traits/stable',
    description: 'The traits of a connection do not change while it is used and when it closes.',
    verify: onClient(async (client, harness) => {
      const before = { ...client.connection.traits };
      await expectEcho(harness, client);
      equal(comparable(client.connection.traits), comparable(before), 'the traits after a request');
      await harness.close(client);
      equal(comparable(client.connection.traits), comparable(before), 'the traits after the close');
    }),
  },
  {
    id: 'traits/no-server-initiates',
    description: 'Without `serverInitiates`, a message on the standing stream does not arrive.',
    skipIf: all(requiresLocalServer, unless('serverInitiates')),
    verify: onPair(async ({ client, served }, harness) => {
      await expectEcho(harness, client);
      await served.notify('unasked').catch((error: unknown) => {
        assert(TransportError.is(error), `the send rejected with no TransportError: ${String(error)}`);
      });
      await lateArrivals();
      equal(client.notifications('unasked').length, 0, 'messages that arrived unasked');
      await expectEcho(harness, client);
    }),
  },
  {
    id: 'traits/no-client-replies',
    description: 'Without `clientReplies`, a response of the dialling side does not arrive.',
    skipIf: all(requiresLocalServer, unless('clientReplies')),
    verify: onPair(async ({ client, served }, harness) => {
      await expectEcho(harness, client);
      await client.send({ jsonrpc: '2.0', id: 'reply', result: {} }).catch((error: unknown) => {
        assert(TransportError.is(error), `the send rejected with no TransportError: ${String(error)}`);
      });
      await lateArrivals();
      equal(served.responses('reply').length, 0, 'responses that arrived');
      await expectEcho(harness, client);
    }),
  },
  {
    id: 'traits/no-headers',
    description: 'Without `carriesHeaders`, no message arrives with headers.',
    skipIf: unless('carriesHeaders'),
    verify: onClient(async (client, harness) => {
      const headers = { version: '2026-07-28', method: 'tck/arrival' };
      const arrival = await requestResult(harness, client, 'tck/arrival', {}, { headers });
      equal(arrival['headers'], undefined, 'headers that arrived; set `carriesHeaders`');
    }),
  },
  {
    id: 'traits/no-redial',
    description: 'Without `redialable`, a second dial rejects with a typed error.',
    skipIf: unless('redialable'),
    verify: onClient(async (client, harness) => {
      await harness.close(client);
      await expectTransportError(
        harness,
        harness.fixture.transport.dial(),
        'a second dial; set `redialable` where it works',
      );
    }),
  },
];

/** Absent members and those that are undefined are the same. */
function comparable(all: Traits): unknown {
  return Object.entries(all)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, value === Number.POSITIVE_INFINITY ? 'unlimited' : value] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
