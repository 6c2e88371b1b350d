import type { Fault, Implementation, JsonObject, Offer, Remote } from '@rxmcp/core';
import { defineClient, defineServer } from '@rxmcp/core';
import type { Observable } from 'rxjs';
import { inProcess } from './in-process.js';
import type { Script, SeenCall } from './script.js';
import { played } from './script.js';

/** Options of {@link fakeRemote}. */
export interface FakeOptions {
  /** The protocol revision to speak. @default the newest */
  readonly version?: string;
  /** What the server declares. @default what follows from the scripted methods, every change notice, and logging */
  readonly capabilities?: JsonObject;
  /** What the client offers, such as a model or roots. @default nothing */
  readonly offers?: readonly Offer[];
  readonly info?: Implementation;
}

/** A remote with a scripted server behind it. */
export interface FakeRemote {
  readonly remote: Remote;
  /** The scripted requests so far, in order. */
  readonly calls: readonly SeenCall[];
  /**
   * What went wrong in the script; `remote.faults$` has what went wrong in the client.
   * @stream event, replays the last 16
   */
  readonly serverFaults$: Observable<Fault>;
  /**
   * Makes the server send a notification. Change notices of lists and resources take the way of the revision, to those who
   * follow them; anything else reaches the client as it is.
   */
  emit(method: string, params?: JsonObject): void;
  /** Closes the remote; resolves when nothing is left. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Makes a remote for tests of code that uses `tools(remote)` and the like: the real client and server of this house within
 * the process, with answers that you script. Messages travel in microtasks, so virtual clocks do not hold them up; change
 * notices and questions to the client wait for a timer of 0 ms. The modern era seals the state of a question with the
 * platform's cryptography, which knows no virtual time.
 */
export async function fakeRemote(script: Script, options: FakeOptions = {}): Promise<FakeRemote> {
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
