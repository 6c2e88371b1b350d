import type { Client, Server } from '@rxmcp/core';
import { memory } from '@rxmcp/memory';

type Transport = Parameters<Client['connect']>[0];
type Connection = Awaited<ReturnType<Transport['dial']>>;
type Mirror = Readonly<Record<string, string>>;

/** A link that carries the headers of client requests, and all headers that it received. */
export interface MirrorLink extends Transport {
  readonly mirrors: Mirror[];
  serve(server: Server): { close(): Promise<unknown> };
}

/** Makes the link; `spoil` changes what the server sees. */
export function mirrorLink(spoil: (mirror: Mirror) => Mirror = (mirror) => mirror): MirrorLink {
  const link = memory();
  const mirrors: Mirror[] = [];
  const underway = new Map<unknown, Mirror>();
  return {
    name: 'mirrors',
    mirrors,
    async dial(options) {
      const inner = await link.dial(options);
      return mirroring(inner, {
        send(out, envelope) {
          const mirror = envelope?.headers;
          if (mirror !== undefined) {
            mirrors.push(mirror);
            underway.set((out as { id?: unknown }).id, mirror);
          }
          return inner.send(out, envelope);
        },
      });
    },
    serve: (server) =>
      link.serve({
        accept: (inner) =>
          server.accept(
            mirroring(inner, {
              start: (receiver) =>
                inner.start({
                  received(incoming, arrival) {
                    const mirror = underway.get((incoming as { id?: unknown }).id);
                    receiver.received(
                      incoming,
                      mirror === undefined ? arrival : { ...arrival, headers: spoil(mirror) },
                    );
                  },
                  laneClosed: (lane, error) => receiver.laneClosed(lane, error),
                  fault: (error) => receiver.fault(error),
                  closed: (error) => receiver.closed(error),
                }),
            }),
          ),
      }),
  };
}

function mirroring(inner: Connection, own: Partial<Connection>): Connection {
  return {
    traits: { ...inner.traits, carriesHeaders: true },
    start: (receiver) => inner.start(receiver),
    send: (out, envelope) => inner.send(out, envelope),
    endLane: (lane) => inner.endLane(lane),
    close: () => inner.close(),
    ...own,
  };
}
