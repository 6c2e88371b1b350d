import { type ConnectionHandler, ConnectionSet, TransportError } from '@rxmcp/transport';
import type { Fixture } from '../../src/index.js';
import { type Post, type Posted, postedConnection, type PostParts, postParts } from './posted.js';

/** A topic of a broker, which keeps what is published until its subscriber takes it. */
export interface Topic {
  readonly kept: Posted[];
  take: ((data: Posted) => void) | undefined;
  gone: () => void;
}

/** What a broker and its connections are made of. A mutant replaces one part. */
export interface BrokerParts extends PostParts {
  publish(topics: ReadonlyMap<string, Topic>, name: string, data: Posted): void;
  subscribe(topic: Topic, take: (data: Posted) => void): void;
  /** Removes a topic of a connection that has ended. */
  remove(topics: Map<string, Topic>, name: string): void;
}

const brokerParts: BrokerParts = {
  ...postParts,
  publish(topics, name, data) {
    const topic = topics.get(name);
    if (topic === undefined) return;
    topic.kept.push(data);
    deliver(topic);
  },
  subscribe(topic, take) {
    topic.take = take;
    deliver(topic);
  },
  remove: (topics, name) => void topics.delete(name),
};

/** Delivers what is kept, each message in a turn of its own. */
export function deliver(topic: Topic): void {
  setImmediate(() => {
    if (topic.take === undefined) return;
    const data = topic.kept.shift();
    if (data !== undefined) topic.take(data);
  });
}

/** Two topics for each connection, in a broker that counts what it keeps; `change` breaks it. */
export function brokerFixture(
  handler: ConnectionHandler,
  change: (parts: BrokerParts) => Partial<BrokerParts> = () => ({}),
): Fixture {
  const parts: BrokerParts = { ...brokerParts, ...change(brokerParts) };
  const topics = new Map<string, Topic>();
  let connections = 0;
  let stopped = false;
  const serving = new ConnectionSet(handler, () => (stopped = true));
  const postOn = (own: string, theirs: string): Post => ({
    post: (data) => parts.publish(topics, theirs, data),
    listen(take) {
      const topic = topics.get(own);
      if (topic === undefined) return;
      parts.subscribe(topic, take);
      for (let more = topic.kept.length; more > 1; more -= 1) deliver(topic);
    },
    onGone(gone) {
      const topic = topics.get(own);
      if (topic !== undefined) topic.gone = () => (parts.remove(topics, own), gone());
    },
    close: () => parts.remove(topics, own),
  });
  return {
    transport: {
      name: 'broker',
      async dial({ signal } = {}) {
        await Promise.resolve();
        if (signal?.aborted === true) throw new TransportError('DIAL_ABORTED', 'The dial was aborted.');
        if (stopped) throw new TransportError('DIAL_FAILED', 'The broker is closed.');
        connections += 1;
        const [up, down] = [`up ${String(connections)}`, `down ${String(connections)}`];
        for (const name of [up, down]) topics.set(name, { kept: [], take: undefined, gone: () => undefined });
        serving.accept(postedConnection(removing(postOn(up, down)), parts, true));
        return postedConnection(removing(postOn(down, up)), parts, false);
      },
    },
    close: () => serving.close(),
    cut() {
      for (const name of ['up', 'down']) topics.get(`${name} ${String(connections)}`)?.gone();
    },
    residue: () => topics.size,
  };
}

/** Removes its own topic once the other side has said goodbye. */
function removing(post: Post): Post {
  return { ...post, listen: (take) => post.listen((data) => (data === 0 && void post.close(), take(data))) };
}
