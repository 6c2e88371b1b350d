import type { Acceptor, Connection, Served } from 'rxmcp/transport';

/** What serves an acceptor, and knows which of its connections are not gone yet. */
export interface Links extends Acceptor {
  /** Resolves once all that was accepted is gone, and what is behind it: a child that is given its time, too. */
  gone(): Promise<void>;
}

/** Keeps the connections of an acceptor in mind until all that belonged to them is gone. */
export function linksOf(acceptor: Acceptor): Links {
  const open = new Set<Served>();
  return {
    accept(connection: Connection) {
      const served = acceptor.accept(connection);
      open.add(served);
      void served.closed.then(() => open.delete(served));
      return served;
    },
    async gone() {
      await Promise.all([...open].map(({ closed }) => closed));
    },
  };
}
