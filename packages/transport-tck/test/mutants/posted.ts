import type { BrokerParts, Topic } from '../wires/broker.js';
import type { ChildParts } from '../wires/child.js';
import { type Post, type PostParts } from '../wires/posted.js';
import { type Broken, leaked } from './mutant.js';

/** A working wire with one change. */
export interface WireMutant<Parts> extends Broken {
  /** Replaces parts of the wire, in at most ten lines. */
  change(parts: Parts): Partial<Parts>;
}

const tenth = (text: unknown): boolean => typeof text === 'string' && text.includes('"index":9}');

function keepRead(topics: ReadonlyMap<string, Topic>, name: string): void {
  const read: Topic = { kept: [], take: undefined, gone: () => undefined };
  (topics as Map<string, Topic>).set(`${name} read ${String(topics.size)}`, read);
}

function removeAll(topics: Map<string, Topic>, name: string): void {
  for (const key of topics.keys()) if (key === name || key.startsWith(`${name} read`)) topics.delete(key);
}

/** Mutants of a broker with topics. */
export const brokered: readonly WireMutant<BrokerParts>[] = [
  {
    name: 'keeps the topics of connections that have ended',
    law: 'leak/residue',
    because: 'entries are kept',
    alone: true,
    change: () => ({ remove: (topics, name) => void (topics.get(name) ?? { take: 0 }).take }),
  },
  {
    name: 'keeps what was read as long as its connection',
    law: 'leak/residue',
    because: 'after 30 more requests',
    alone: true,
    change: (parts) => ({
      publish: (topics, ...posted) => (parts.publish(topics, ...posted), keepRead(topics, posted[0])),
      remove: (topics, name) => removeAll(topics, name),
    }),
  },
  {
    name: 'publishes everything to the newest connection',
    law: 'dial/two-at-once',
    because: 'the response to "tck/echo"',
    everywhere: true,
    change: (parts) => ({
      publish(topics, name, data) {
        const [direction] = name.split(' ');
        parts.publish(
          topics,
          [...topics.keys()].findLast((key) => key.startsWith(`${direction ?? ''} `)) ?? name,
          data,
        );
      },
    }),
  },
  {
    name: 'loses each tenth message',
    law: 'order/sent',
    because: 'messages',
    everywhere: true,
    change: (parts) => ({
      publish: (topics, name, data) => (tenth(data) ? undefined : parts.publish(topics, name, data)),
    }),
  },
  {
    name: 'keeps nothing for a subscriber that comes later',
    law: 'start/holds-for-served',
    because: 'messages',
    everywhere: true,
    change: (parts) => ({
      publish: (topics, name, data) =>
        topics.get(name)?.take === undefined ? undefined : parts.publish(topics, name, data),
    }),
  },
  {
    name: 'sends without credits',
    law: 'pressure/unread-waits',
    because: 'were accepted although the other side did not read',
    change: () => ({ isFull: () => false }),
  },
  {
    name: 'publishes what is sent in one turn in reverse',
    law: 'order/sent',
    because: 'order',
    everywhere: true,
    change: (parts) => ({
      publish(topics, name, data) {
        const topic = topics.get(name);
        if (typeof data !== 'string' || topic?.take === undefined) return parts.publish(topics, name, data);
        parts.publish(topics, name, data);
        topic.kept.unshift(...topic.kept.splice(-1));
      },
    }),
  },
];

/** Mutants of a MessagePort. */
export const ported: readonly WireMutant<PostParts>[] = [
  {
    name: 'drops the _meta of what it receives',
    law: 'message/meta',
    because: '_meta',
    everywhere: true,
    change: (parts) => ({
      take: (sink, text) => parts.take(sink, text.replace(/"_meta":\{[^}]*\},?/g, '')),
    }),
  },
  {
    name: 'closes without a goodbye',
    law: 'close/notifies-peer',
    because: 'an orderly end was reported as CONNECTION_LOST',
    change: () => ({ close: (post) => post.close() }),
  },
  {
    name: 'does not notice that the other port was closed',
    law: 'cut/loss-at-every-message',
    because: "the fixture's `cut` hook had no effect",
    change: (parts) => ({ gone: (sink, inOrder) => (inOrder ? parts.gone(sink, true) : undefined) }),
  },
  {
    name: 'waits for credits on the dialling side only',
    law: 'pressure/unread-dialled',
    because: 'were accepted although the other side did not read',
    alone: true,
    change: (parts) => ({ isFull: (unread, isServer) => !isServer && parts.isFull(unread, isServer) }),
  },
  {
    name: 'leaves a timer behind when it closes',
    law: 'leak/handles',
    because: 'there are more handles than before',
    change: (parts) => ({
      close(post: Post) {
        leaked.push(setInterval(() => undefined, 60_000));
        return parts.close(post);
      },
    }),
  },
  {
    name: 'posts a credit in the place of each tenth message',
    law: 'order/sent',
    because: 'messages',
    everywhere: true,
    change: (parts) => ({ post: (post, data) => (tenth(data) ? post.post(1) : parts.post(post, data)) }),
  },
];

/** Mutants of a child process. */
export const forked: readonly WireMutant<ChildParts>[] = [
  {
    name: 'has a child that writes to its standard error',
    law: 'close/idempotent',
    because: 'a child process wrote to its standard error: a warning of its own',
    everywhere: true,
    change: () => ({ args: () => ['noisy'] }),
  },
  {
    name: 'has a child that crashes at the end',
    law: 'close/in-order',
    because: 'a child process ended with exit code 1',
    everywhere: true,
    change: () => ({ args: () => ['crashing'] }),
  },
  {
    name: 'has a child that ends before its last sends are out',
    law: 'close/delivers-pushed',
    because: 'messages that arrived of 20',
    everywhere: true,
    change: (parts) => ({ args: () => ['hasty'], gone: (sink) => parts.gone(sink, true) }),
  },
  {
    name: 'reports the death of its process as an orderly end',
    law: 'cut/loss-at-every-message',
    because: 'a cut was reported as in order',
    change: (parts) => ({ gone: (sink) => parts.gone(sink, true) }),
  },
  {
    name: 'leaves its process behind',
    law: 'leak/handles',
    because: 'there are more handles than before',
    everywhere: true,
    change: () => ({ args: () => ['staying'], ended: async () => undefined }),
  },
  {
    name: 'normalizes text',
    law: 'message/unnormalized-text',
    because: 'text',
    everywhere: true,
    change: (parts) => ({ take: (sink, text) => parts.take(sink, text.normalize('NFC')) }),
  },
  {
    name: 'notices the end of its child a minute later',
    law: 'close/send-after-peer',
    because: 'closed() on the dialling side',
    everywhere: true,
    change: (parts) => ({ gone: (...end) => void setTimeout(() => parts.gone(...end), 60_000).unref() }),
  },
  {
    name: 'sends to a blocked process without credits',
    law: 'pressure/blocked-process',
    because: 'were accepted although the other side did not read',
    everywhere: true,
    change: () => ({ isFull: () => false }),
  },
  {
    name: 'never closes while sends wait',
    law: 'pressure/close-bounded',
    because: 'close() to resolve',
    everywhere: true,
    change(parts) {
      let isFull = false;
      return {
        isFull: (...unread) => (isFull = parts.isFull(...unread)),
        close: (post) => (isFull ? new Promise(() => undefined) : parts.close(post)),
      };
    },
  },
];
