// What runs in the page: a client that the test drives from outside. Everything that it is given and gives is JSON.
import { type Observable, Subscription, switchMap } from 'rxjs';
import {
  type Client,
  defineClient,
  type RxmcpError,
  once,
  reconnect,
  type Remote,
  type ResourceContents,
  type TransportError,
} from 'rxmcp';
import { offerElicitation } from 'rxmcp/elicitation';
import { http } from 'rxmcp/http';
import { resources, readText } from 'rxmcp/resources';
import { offerSampling } from 'rxmcp/sampling';
import { sse } from 'rxmcp/sse';
import { tools } from 'rxmcp/tools';
import type { Transport } from 'rxmcp/transport';
import { transportFor } from 'rxmcp/url';
import { webSocket } from 'rxmcp/websocket';
import { inFrame, inWorker } from './ports.js';

/** Where to, and how. */
export interface Way {
  readonly over: keyof typeof ways;
  readonly url: string;
  readonly version?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long a frame may take to answer, in milliseconds. */
  readonly withinMs?: number;
}

/** What an error says of itself. */
export interface Failure {
  readonly code?: string;
  readonly outcome?: string;
  readonly details?: unknown;
  readonly message: string;
}

const ways = { http, sse, webSocket, transportFor, worker: inWorker, frame: inFrame };
let remote: Remote;
let running = new Subscription();
const faults: string[] = [];
const seen: (string | undefined)[] = [];
const violations: string[] = [];
document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => {
  violations.push(violatedDirective);
});

const driven = {
  /** Connects and gives the revision, or why not. */
  async connect(way: Way): Promise<string | Failure> {
    try {
      remote = await clientOf(way).connect(transportOf(way));
    } catch (error) {
      return failure(error);
    }
    remote.faults$.subscribe(({ code }) => faults.push(code));
    return remote.version;
  },
  async tools(): Promise<readonly string[]> {
    return (await once(tools(remote).list())).map(({ name }) => name);
  },
  /** Calls and gives the kinds of everything that came, and the text. */
  async events(name: string, args: object): Promise<readonly string[]> {
    const kinds: string[] = [];
    await tools(remote)
      .events(name, args)
      .forEach(
        (event) =>
          void kinds.push(event.type === 'progress' ? `progress ${String(event.progress)}` : event.type),
      );
    return kinds;
  },
  async call(name: string, args: object = {}): Promise<string | Failure> {
    try {
      const { content } = await once(tools(remote).call(name, args));
      return (content[0] as { text: string }).text;
    } catch (error) {
      return failure(error);
    }
  },
  /** Begins calls, which `leave` cancels. */
  begin(name: string, times = 1): void {
    for (let at = 0; at < times; at += 1) running.add(tools(remote).call(name).subscribe());
  },
  leave(): void {
    running.unsubscribe();
    running = new Subscription();
  },
  /** Watches; what came is in `seen`. */
  watch(uri: string): void {
    show(resources(remote).watch(uri));
  },
  /** Watches over connections of its own, one after the other. */
  follow(way: Way, uri: string): void {
    const live = clientOf(way).live(transportOf(way));
    show(
      live.pipe(
        switchMap((one) => resources(one).watch(uri)),
        reconnect(),
      ),
    );
  },
  seen: () => seen,
  faults: () => faults,
  violations: () => violations,
  close: () => remote.close(),
  /** Asks without any of us, as a page may that has no leave: what came back, or the name of the error. */
  async fetch(url: string, init: RequestInit): Promise<number | string> {
    try {
      return (await fetch(url, init)).status;
    } catch (error) {
      return (error as Error).name;
    }
  },
  /** Whether this page may make code of text. */
  evaluates(): boolean {
    try {
      return new Function('return true')() === true;
    } catch {
      return false;
    }
  },
};

/** The same functions, each in a turn of its own. */
type Driven<T> = {
  readonly [Name in keyof T]: T[Name] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Promise<Awaited<Answer>>
    : never;
};

declare global {
  var desk: Driven<typeof driven>;
}

// What a debugger calls may make code of text while that call lasts, whatever the policy of the page.
const later = Object.entries(driven).map(([name, run]: [string, (...args: never[]) => unknown]) => [
  name,
  async (...args: never[]) => {
    await new Promise((resolve) => setTimeout(resolve));
    return run(...args);
  },
]);
globalThis.desk = Object.fromEntries(later) as typeof globalThis.desk;

function clientOf({ version }: Way): Client {
  return defineClient({
    info: { name: 'page', version: '1.0.0' },
    ...(version === undefined ? {} : { versions: [version] }),
    offers: [
      offerElicitation(() => ({ action: 'accept', content: { name: 'Ada' } })),
      offerSampling(
        () => ({ model: 'parrot', role: 'assistant', content: { type: 'text', text: 'A heron.' } }),
        { approve: 'dangerouslyAlways' },
      ),
    ],
  });
}

function transportOf({ over, url, headers, withinMs }: Way): Transport {
  const make: (url: string, options: object) => Transport = ways[over];
  return make(url, {
    ...(headers === undefined ? {} : { headers }),
    ...(withinMs === undefined ? {} : { connectTimeoutMs: withinMs }),
  });
}

function show(values: Observable<readonly ResourceContents[]>): void {
  values.subscribe({
    next: ([first]) => seen.push(first === undefined ? undefined : readText(first)),
    error: (error) => seen.push(failure(error).message),
  });
}

function failure(error: unknown): Failure {
  const { code, message, details, outcome } = error as TransportError & RxmcpError;
  return { code, message, details, outcome };
}
