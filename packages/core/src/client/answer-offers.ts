import type { Id, JsonObject, Request } from '@rxmcp/jsonrpc';
import type { Arrival, Lane } from '@rxmcp/transport';
import { clientAnswers } from '../eras/legacy/index.js';
import { metaOf, tokenOf } from '../base/request-meta.js';
import { McpError } from '../base/errors.js';
import type { Fault } from '../contract/faults.js';
import type { MethodOffer, Offer, OfferParts } from '../contract/offer.js';
import { defineOffer } from '../contract/offer.js';
import { BacklogWriter } from '../peer/backlog-writer.js';
import { heldTimer } from '../base/clock.js';
import { Admission } from '../peer/admission.js';
import { Exchange } from '../peer/exchange.js';
import type { ExchangeHost } from '../peer/exchange-contract.js';
import { InFlight } from '../peer/in-flight.js';
import { askMs, pausesOf } from '../peer/pauses.js';
import { intercept } from '../interceptors/intercept.js';
import { answer } from './ask-handler.js';
import type { Answers, RequestsHost, ServerRequests } from './answers.js';
import { putAll } from './ask-queue.js';

/** Makes an offer that a client can answer with, or both sides. */
export function defineAnsweredOffer(parts: OfferParts): Offer {
  return defineOffer(parts.side === 'server' ? parts : { ...parts, answers });
}

const answers: Answers = {
  Writer: BacklogWriter,
  intercept,
  requests: (host) => new Requests(host),
  questions(asks, methods, from, done) {
    // Between two requests only this timer keeps the process alive for the caller.
    const limit = heldTimer(() => {
      const message = `"${from.method}" asked what was not answered here for ${askMs} ms`;
      done(new McpError('TIMEOUT', message, { outcome: 'answered' }));
    }, askMs);
    const withdraw = putAll(
      asks,
      // A handler may cancel the call while it runs; the other questions are then not put.
      (ask, put) => (from.isOpen() ? answer(methods.get(ask.method), ask, from, put) : () => undefined),
      (given) => {
        clearTimeout(limit);
        done(given);
      },
    );
    return () => {
      clearTimeout(limit);
      withdraw();
    };
  },
};

class Requests implements ServerRequests, ExchangeHost {
  private readonly inFlight: InFlight;
  private readonly admission: Admission;

  constructor(private readonly host: RequestsHost) {
    const { maxRunning, maxQueued } = host.definition.limits;
    this.inFlight = new InFlight(host.connection.traits.idScope === 'lane');
    this.admission = new Admission(maxRunning, maxQueued, { run: (exchange) => exchange.run() });
  }

  get writer(): BacklogWriter {
    return this.host.writer as BacklogWriter;
  }

  fault(fault: Fault): void {
    this.host.fault(fault);
  }

  has(id: Id, lane: Lane | undefined): boolean {
    return this.inFlight.get(id, lane) !== undefined;
  }

  serve(request: Request, arrival: Arrival | undefined, offer: MethodOffer): void {
    const { version, server: caller, peer } = this.host;
    let meta: JsonObject = {};
    try {
      meta = metaOf(request);
    } catch {
      // A server's odd `_meta` is no reason to refuse what it asks.
    }
    const claim = { version, caller, meta, progressToken: tokenOf(meta), logLevel: undefined };
    const exchange = new Exchange(this, clientAnswers, claim, request, arrival);
    exchange.offer = offer;
    this.inFlight.add(exchange);
    // The caller's clock stands still while its own user is being asked.
    exchange.onEnd = peer.calls.pause(pausesOf, exchange.lane);
    if (!this.admission.admit(exchange)) exchange.overloaded();
  }

  cancelled(id: Id, lane: Lane | undefined): void {
    const asked = this.inFlight.get(id, lane);
    asked?.cancel(
      new McpError('CANCELLED', `"${asked.method}" was withdrawn by the server`, { outcome: 'unknown' }),
    );
  }

  finished(exchange: Exchange): void {
    if (this.inFlight.delete(exchange)) this.admission.release(exchange);
  }

  over(cause: Error): void {
    this.admission.close();
    for (const exchange of this.inFlight.all()) exchange.cancel(cause);
  }
}
