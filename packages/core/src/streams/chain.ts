import type { JsonObject } from '@rxmcp/jsonrpc';
import { Observable } from 'rxjs';
import { isObject, noMembers } from '../base/checks.js';
import { quoted } from '../base/message-text.js';
import type { Caller } from '../contract/context.js';
import type { Fault } from '../contract/faults.js';
import type {
  ResponseEvent,
  RequestDetails,
  InterceptedRequest,
  Interceptor,
  NotFoundCapable,
} from '../contract/interceptor.js';
import type { Topic } from '../contract/remote-link.js';
import { mapped } from './follow.js';

/**
 * Wraps a request in interceptors, the first outermost. Each is called at subscription, so that subscribing again
 * runs all of them again. An error that an interceptor throws, or an emitted value that is not an event, is an
 * error of the stream.
 *
 * @stream call
 */
export function chain(
  interceptors: readonly Interceptor[],
  facts: RequestDetails,
  params: JsonObject,
  last: (params: JsonObject) => Observable<ResponseEvent>,
): Observable<ResponseEvent> {
  const from = (index: number, given: JsonObject): Observable<ResponseEvent> => {
    const interceptor = interceptors[index];
    if (interceptor === undefined) return last(given);
    return new Observable<ResponseEvent>((subscriber) => {
      const events = interceptor(new View(facts, given), (changed = given) => from(index + 1, changed));
      return mapped(events, (event) => eventFrom(event, facts)).subscribe(subscriber);
    });
  };
  return from(0, params);
}

// Read here once: a getter that throws later would throw in the observer of another interceptor, which cannot catch
// it.
function eventFrom(given: ResponseEvent, { method, side }: RequestDetails): ResponseEvent {
  try {
    const event = { ...given };
    if (event.type === 'progress' || event.type === 'log') return event;
    // The server validates the results of its handlers elsewhere.
    if ((event as { type?: unknown }).type === 'result' && (side === 'server' || isObject(event.result)))
      return event;
  } catch (cause) {
    throw new TypeError(noEvent(method), { cause });
  }
  throw new TypeError(noEvent(method));
}

function noEvent(method: string): string {
  return `an interceptor of ${quoted(method)} emitted a value that is not an event`;
}

class View implements InterceptedRequest, NotFoundCapable {
  constructor(
    private readonly facts: RequestDetails,
    readonly params: JsonObject,
  ) {}

  get meta(): JsonObject {
    const meta: unknown = (this.params as JsonObject | undefined)?._meta;
    return isObject(meta) ? meta : noMembers;
  }

  get side(): 'server' | 'client' {
    return this.facts.side;
  }

  get method(): string {
    return this.facts.method;
  }

  get version(): string {
    return this.facts.version;
  }

  get caller(): Caller {
    return this.facts.caller;
  }

  get signal(): AbortSignal {
    return this.facts.signal;
  }

  get owner(): object {
    return this.facts.owner;
  }

  get inputRequired(): boolean {
    return this.facts.inputRequired;
  }

  get rounds(): number {
    return this.facts.rounds;
  }

  get changes$(): Observable<Topic | undefined> {
    return this.facts.changes$;
  }

  fault(fault: Fault): void {
    this.facts.fault(fault);
  }

  notFound(params: JsonObject): Observable<ResponseEvent> | undefined {
    return (this.facts as NotFoundCapable).notFound?.(params);
  }
}
