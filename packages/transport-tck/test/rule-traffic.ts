import { encode } from '@rxmcp/jsonrpc';
import type { Connection, ConnectionHandler, Transport } from '@rxmcp/transport';
import {
  type Fixture,
  type RegisterTest,
  type ServeFixture,
  verifyApplicableRules,
  type VerifyOptions,
} from '../src/index.js';

/** What one rule did with a working transport. */
type Traffic = Map<string, number>;

/** How often these rules send depends on the time that the machine takes. */
const timed = /^(pressure|leak|served\/asks$|order\/(one-at-a-time|sends-inside-received)|start\/holds-)/;

/**
 * Registers the rules on a working transport and returns what each of them does there, one line a rule. A rule that sends less than before
 * verifies less, although it still holds. `vitest -u` writes the files anew.
 */
export async function ruleTraffic(
  test: RegisterTest,
  serve: (handler: ConnectionHandler) => Fixture,
  options: VerifyOptions = {},
): Promise<() => string> {
  const lines: string[] = [];
  let traffic: Traffic = new Map();
  const recorded: ServeFixture = async (handler) => {
    const count = counter(traffic);
    const fixture = serve({
      accept: (connection) =>
        handler.accept(countedConnection(connection, (what, more) => count(`served ${what}`, more))),
    });
    return countedFixture(fixture, count);
  };
  await verifyApplicableRules({
    serve: recorded,
    options: { report: () => undefined, ...options },
    test: (name, run) =>
      test(name, async (...context) => {
        traffic = new Map();
        await run(...context);
        const id = name.slice(0, name.indexOf(':'));
        if (id !== 'report' && !timed.test(id)) lines.push(`${id}: ${textOf(traffic)}`);
      }),
  });
  return () => lines.map((line) => `${line}\n`).join('');
}

type Count = (what: string, more?: number) => void;

function counter(traffic: Traffic): Count {
  return (what, more = 1) => void traffic.set(what, (traffic.get(what) ?? 0) + more);
}

function textOf(traffic: Traffic): string {
  return [...traffic]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([what, times]) => `${what} ${times}`)
    .join(', ');
}

function countedFixture(fixture: Fixture, count: Count): Fixture {
  const { transport, injectFrame, cut, cutLane } = fixture;
  const dial: Transport['dial'] = async (options) => {
    count('dials');
    return countedConnection(await transport.dial(options), count);
  };
  return {
    ...fixture,
    transport: { ...transport, dial },
    ...(injectFrame && {
      injectFrame(towards, frame) {
        count('injected frames');
        count('injected bytes', frame.length);
        return injectFrame(towards, frame);
      },
    }),
    ...(cut && { cut: () => (count('cuts'), cut()) }),
    ...(cutLane && { cutLane: () => (count('cut lanes'), cutLane()) }),
  };
}

function countedConnection(connection: Connection, count: Count): Connection {
  return {
    traits: connection.traits,
    start(receiver) {
      count('starts');
      connection.start(receiver);
    },
    send(out, options) {
      count('messages');
      count('bytes', encode(out).length);
      return connection.send(out, options);
    },
    endLane(lane) {
      count('ended lanes');
      connection.endLane(lane);
    },
    close() {
      count('closes');
      return connection.close();
    },
  };
}
