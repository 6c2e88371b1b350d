import type { Interceptor, Remote, RemoteStatus } from 'rxmcp';
import { audit, type AuditRecord } from 'rxmcp/interceptors';
import { encode, type JsonRpcMessage } from 'rxmcp/jsonrpc';
import { tap, type TapEvent, type Transport } from 'rxmcp/transport';
import { describeError } from '@rxmcp/app-serving/describe-error';
import { UsageError } from '@rxmcp/app-serving/usage-error';

/** Logs what happens on the connection, a line per event. Topics that are not selected cost nothing. */
export interface Debug {
  /** Returns the transport with logging of its dials, messages, faults and close. Headers are never logged. */
  watched(transport: Transport): Transport;
  /** Log how each request ended, how long it took and how large it was. */
  readonly attemptInterceptors: readonly Interceptor[];
  /** Logs each change of a remote's status. */
  follow(remote: Remote): void;
}

const topics = ['transport', 'peer'] as const;
type Topic = (typeof topics)[number];

/**
 * Logs everything with `--debug`, otherwise the topics of RXMCP_DEBUG: `transport`, `peer`, or both with a comma. Throws a
 * UsageError for another name.
 */
export function debugOf(all: boolean, env: NodeJS.ProcessEnv, tell: (line: string) => void): Debug {
  const wanted = new Set<Topic>(all ? topics : named(env['RXMCP_DEBUG'] ?? ''));
  const from = performance.now();
  const say = (topic: Topic, text: string): void =>
    tell(`debug ${topic} ${Math.round(performance.now() - from)} ms ${text}`);
  return {
    watched: (transport) =>
      wanted.has('transport') ? watched(transport, (text) => say('transport', text)) : transport,
    attemptInterceptors: wanted.has('peer')
      ? [audit({ record: (record) => say('peer', ended(record)) })]
      : [],
    follow(remote) {
      if (wanted.has('peer')) remote.status$.subscribe((status) => say('peer', stateOf(status)));
    },
  };
}

function named(list: string): Topic[] {
  const words = list.split(',').map((word) => word.trim());
  return words.filter((word) => word !== '').map(topicOf);
}

function topicOf(word: string): Topic {
  const topic = topics.find((known) => known === word);
  if (topic === undefined)
    throw new UsageError(`RXMCP_DEBUG ${JSON.stringify(word)} must be one of ${topics.join(', ')}`);
  return topic;
}

function watched(transport: Transport, say: (text: string) => void): Transport {
  const tapped = tap(transport, (event) => say(passing(event)));
  return {
    ...tapped,
    async dial(options) {
      say(`dials ${transport.name}`);
      try {
        return await tapped.dial(options);
      } catch (error) {
        say(`not connected: ${describeError(error)}`);
        throw error;
      }
    },
  };
}

function passing(event: TapEvent): string {
  switch (event.type) {
    case 'sent':
      return `> ${encode(event.message)}`;
    case 'received':
      return `< ${encode(event.message as JsonRpcMessage)}`;
    case 'laneEnded':
      return 'a lane is ended';
    case 'laneClosed':
      return `a lane closed${because(event.error)}`;
    case 'fault':
      return `fault ${describeError(event.error)}`;
    case 'closed':
      return `closed${because(event.error)}`;
  }
}

function ended({ method, target, status, code, durationMs, requestBytes, resultBytes }: AuditRecord): string {
  const what = target === undefined ? method : `${method} ${target}`;
  const why = code === undefined ? '' : ` ${code}`;
  return `${what}: ${status}${why} in ${Math.round(durationMs)} ms, ${requestBytes} bytes out, ${resultBytes} in`;
}

function stateOf(status: RemoteStatus): string {
  if (status.state !== 'open') return `${status.state}${because(status.cause)}`;
  const { version, subscriptions } = status;
  return `open, revision ${version}, ${subscriptions.open} feeds, ${subscriptions.reopening} reopening`;
}

function because(error: Error | undefined): string {
  return error === undefined ? '' : `: ${describeError(error)}`;
}
