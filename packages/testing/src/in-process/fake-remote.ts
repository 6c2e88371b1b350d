import type { Context, Fault, Implementation, JsonObject, Offer, HandlerResult, Remote } from '@rxmcp/core';
import { defineClient, defineServer } from '@rxmcp/core';
import { type ListName, type OfferHost, defineOffer, rejectUnknownOptions } from '@rxmcp/core/internal';
import type { Observable } from 'rxjs';
import { inProcess } from './in-process-link.js';

/** Options of {@link fakeRemote}. */
export interface FakeRemoteOptions {
  /** The protocol revision to speak. @default the newest */
  readonly version?: string;
  /** The capabilities of the server. @default those of the scripted methods, all change notifications, and logging */
  readonly capabilities?: JsonObject;
  /** The offers of the client, such as a model or roots. @default none */
  readonly offers?: readonly Offer[];
  readonly info?: Implementation;
}

const knownOptions: Record<keyof FakeRemoteOptions, true> = {
  version: true,
  capabilities: true,
  offers: true,
  info: true,
};

/** A remote with a scripted server behind it. */
export interface FakeRemote {
  readonly remote: Remote;
  /** The scripted requests so far, in order. */
  readonly calls: readonly ReceivedRequest[];
  /**
   * Faults of the scripted server; `remote.faults$` has those of the client.
   * @stream event, replays the last 16
   */
  readonly serverFaults$: Observable<Fault>;
  /**
   * Makes the server send a notification. Change notifications of lists and resources are sent as the revision defines, to
   * subscribed clients; any other notification is sent unchanged.
   */
  emit(method: string, params?: JsonObject): void;
  /** Closes the remote; resolves once it is closed. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Makes a remote for tests of code that uses `tools(remote)` and the like: the real client and server of rxmcp in one
 * process, with scripted responses. Messages are delivered in microtasks, so a virtual clock does not delay them. List-changed
 * notifications and requests to the client wait for a timer of 0 ms. In the modern era, request state is sealed with the
 * platform's cryptography, which does not use virtual time.
 */
export async function fakeRemote(script: Script, options: FakeRemoteOptions = {}): Promise<FakeRemote> {
  rejectUnknownOptions('fakeRemote', options, knownOptions);
  const { version, offers = [], info = { name: 'fake', version: '0.0.0' } } = options;
  const versions = version === undefined ? {} : { versions: [version] };
  const play = played(script, options.capabilities);
  const server = defineServer({ info, offers: [play.offer], ...versions });
  const link = inProcess();
  link.serve(server);
  const remote = await defineClient({ info, offers, ...versions }).connect(link);
  return {
    remote,
    calls: play.calls,
    serverFaults$: server.faults$,
    emit(method, params) {
      const list = /^notifications\/(tools|prompts|resources)\/list_changed$/.exec(method)?.[1];
      if (list !== undefined) play.listChanged(list as 'tools' | 'prompts' | 'resources');
      else if (method === 'notifications/resources/updated') play.updated(String(params?.uri));
      else link.dialled?.take({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });
    },
    close: () => remote.close(),
    [Symbol.asyncDispose]: () => remote.close(),
  };
}

/** Handlers by method. Their errors, progress, logs and asks are handled as in a real server. */
export type Script = Readonly<
  Record<string, (params: JsonObject, ctx: Context) => HandlerResult<JsonObject>>
>;

/** A request as the scripted server saw it, without its `_meta`. */
export interface ReceivedRequest {
  readonly method: string;
  readonly params: JsonObject;
}

/** The offer that plays a script. */
interface Played {
  readonly offer: Offer;
  readonly calls: readonly ReceivedRequest[];
  /** Announces a changed list to all subscribed clients. */
  listChanged(list: ListName): void;
  /** Announces a changed resource to its subscribers. */
  updated(uri: string): void;
}

/** Makes the offer of a script. Capabilities follow from its methods unless they are given. */
function played(script: Script, capabilities = capabilitiesOf(Object.keys(script))): Played {
  const calls: ReceivedRequest[] = [];
  const hosts = new Set<OfferHost>();
  const watches = new Set<{ readonly uri: string; readonly changed: (uri: string) => void }>();
  const offer = defineOffer({
    name: 'script',
    side: 'server',
    capabilities,
    methods: Object.entries(script).map(([method, handler]) => ({
      method,
      handle(params, ctx) {
        const { _meta: _era, ...own } = params;
        calls.push({ method, params: own });
        return handler(own, ctx);
      },
    })),
    start(host) {
      hosts.add(host);
      return () => void hosts.delete(host);
    },
    watch(uri, _caller, changed) {
      const entry = { uri, changed };
      watches.add(entry);
      return () => void watches.delete(entry);
    },
  });
  return {
    offer,
    calls,
    listChanged(list) {
      for (const host of [...hosts]) host.changed(list);
    },
    updated(uri) {
      for (const { uri: watched, changed } of [...watches]) if (isAtOrBelow(uri, watched)) changed(uri);
    },
  };
}

function isAtOrBelow(uri: string, watched: string): boolean {
  return uri === watched || uri.startsWith(watched.endsWith('/') ? watched : `${watched}/`);
}

const families: Readonly<Record<string, readonly [name: string, value: JsonObject]>> = {
  tools: ['tools', { listChanged: true }],
  prompts: ['prompts', { listChanged: true }],
  resources: ['resources', { listChanged: true, subscribe: true }],
  completion: ['completions', {}],
};

function capabilitiesOf(methods: readonly string[]): JsonObject {
  const found = methods.flatMap((method) => {
    const family = families[method.split('/')[0] ?? ''];
    return family === undefined ? [] : [family];
  });
  return Object.fromEntries([...found, ['logging', {}]]);
}
