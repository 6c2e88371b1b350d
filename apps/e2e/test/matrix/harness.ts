import type { Fault, JsonObject, Offer, Remote } from 'rxmcp';
import { defineClient } from 'rxmcp';
import { EncodedMessage } from '@rxmcp/jsonrpc';
import type { Lane, OutgoingMessage, Traits, Transport } from '@rxmcp/transport';
import { tap } from '@rxmcp/transport';
import { describe, it, onTestFinished } from 'vitest';
import type { Carrier, Place } from './carriers.js';
import { carriers } from './carriers.js';
import type { Revision } from './revisions.js';
import { revisions } from './revisions.js';
import type { ServerName } from './servers/index.js';
import { exhaustive } from '../../../../vitest.exhaustive.js';

/** What a scenario stands on. */
export interface Scenario {
  readonly server: ServerName;
  /** For the description. @default {} */
  readonly options?: JsonObject;
  /** Traits without which it cannot run, such as `{ serverInitiates: true }`. */
  readonly needs?: Partial<Traits>;
  /** For what only one era has. @default both */
  readonly era?: Revision['era'];
}

/** A client that is connected, and what passed between it and its server. */
export interface Desk {
  readonly remote: Remote;
  /** Every message that the client sent, the opening included. */
  readonly sent: readonly JsonObject[];
  /** Every message that came from the server. */
  readonly received: readonly JsonObject[];
  /** The ids of the requests that the client cancelled, by a notification or by the end of their lanes. */
  readonly withdrawn: ReadonlySet<unknown>;
  /** The client's faults. */
  readonly faults: readonly Fault[];
}

/** How a client connects. */
export interface Connecting {
  readonly offers?: readonly Offer[];
  /** @default 10_000 */
  readonly timeoutMs?: number;
  /** @default the one that leads to the server of the cell */
  readonly transport?: Transport;
}

/** One cell of the matrix. */
export interface Cell extends Revision {
  readonly carrier: Carrier;
  readonly place: Place;
  /** Connects a client at the revision of the cell; it is closed with the test. */
  connect(client?: Connecting): Promise<Desk>;
}

/**
 * Runs a scenario at each revision over each transport whose traits allow it; the other cells do not exist. Revisions differ in the same
 * way over every transport: but for an exhaustive run, each is tried in memory, and one over each other transport, which differs by
 * scenario.
 */
export function each(title: string, scenario: Scenario, run: (cell: Cell) => Promise<void>): void {
  describe(title, () => {
    for (const [at, carrier] of carriers.entries()) {
      const possible = revisions.filter(
        (revision) =>
          (scenario.era ?? revision.era) === revision.era &&
          forbids(carrier.traits, scenario.needs, revision) === undefined,
      );
      const turn = possible[(title.length + at) % possible.length];
      for (const revision of possible)
        if (exhaustive || carrier.name === 'memory' || revision === turn)
          it(`${revision.version} over ${carrier.name}`, () => runCell(carrier, revision, scenario, run));
    }
  });
}

/** The trait that keeps a scenario from a pair, in words; undefined where it may run. */
export function forbids(
  traits: Traits,
  needs: Partial<Traits> = {},
  { version }: Revision,
): string | undefined {
  if (traits.versions !== undefined && !traits.versions.includes(version)) {
    return `versions = ${traits.versions.join(', ')}`;
  }
  const lacking = Object.entries(needs).find(([trait, value]) => traits[trait as keyof Traits] !== value);
  return lacking && `${lacking[0]} = ${String(traits[lacking[0] as keyof Traits])}`;
}

/** Serves a description for the current test, at no revision in particular. */
export async function servedBy(
  carrier: Carrier,
  server: ServerName,
  options: JsonObject = {},
): Promise<Place> {
  const place = await carrier.serve(server, options);
  onTestFinished(() => place.close());
  return place;
}

async function runCell(
  carrier: Carrier,
  { era, version }: Revision,
  { server, options }: Scenario,
  run: (cell: Cell) => Promise<void>,
): Promise<void> {
  const place = await servedBy(carrier, server, options);
  const connect: Cell['connect'] = (client) => deskAt(version, place.transport, client);
  await run({ era, version, carrier, place, connect });
}

async function deskAt(
  version: string,
  placed: Transport,
  { offers = [], timeoutMs = 10_000, transport = placed }: Connecting = {},
): Promise<Desk> {
  const sent: JsonObject[] = [];
  const received: JsonObject[] = [];
  const faults: Fault[] = [];
  const withdrawn = new Set<unknown>();
  const lanes = new Map<Lane, unknown>();
  const tapped = tap(transport, (event) => {
    if (event.type === 'sent') {
      const message = plain(event.message);
      sent.push(message);
      const { method, id, params } = message as { method?: string; id?: unknown; params?: JsonObject };
      if (method === 'notifications/cancelled') withdrawn.add(params?.['requestId']);
      else if (event.options?.lane !== undefined) lanes.set(event.options.lane, id);
    } else if (event.type === 'laneEnded') withdrawn.add(lanes.get(event.lane));
    else if (event.type === 'received') received.push(plain(event.message as OutgoingMessage));
  });
  const client = defineClient({
    info: { name: 'desk', version: '1.0.0' },
    offers,
    versions: [version],
    idleTimeoutMs: timeoutMs,
  });
  const remote = await client.connect(tapped);
  const following = remote.faults$.subscribe((fault) => faults.push(fault));
  onTestFinished(async () => {
    following.unsubscribe();
    await remote.close();
  });
  return { remote, sent, received, withdrawn, faults };
}

function plain(message: OutgoingMessage): JsonObject {
  return structuredClone(
    message instanceof EncodedMessage ? message.message : message,
  ) as unknown as JsonObject;
}
