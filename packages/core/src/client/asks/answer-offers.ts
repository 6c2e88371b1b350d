import type { RequestId, JsonObject, JsonRpcRequest } from '@rxmcp/jsonrpc';
import { type Lane, processMemory, type ReceiveInfo } from '@rxmcp/transport';
import { HeldBytes } from '@rxmcp/transport/internal';
import { clientAnswers } from '../../eras/legacy/index.js';
import { metaOf, tokenOf } from '../../base/request-meta.js';
import { noMemory, RxmcpError } from '../../base/errors.js';
import { estimateBytes, memoryOf } from '../../base/json-size.js';
import type { AskHost } from '../../contract/call-owner.js';
import type { Fault } from '../../contract/faults.js';
import type { MethodOffer, NotificationOffer, Offer, OfferDefinition } from '../../contract/offer.js';
import { defineOffer } from '../../contract/offer.js';
import { BacklogWriter } from '../../peer/backlog-writer.js';
import { refTimer } from '../../base/clock.js';
import { Admission } from '../../peer/admission.js';
import { Exchange } from '../../peer/exchange.js';
import type { ExchangeHost } from '../../peer/exchange-contract.js';
import { InFlight } from '../../peer/in-flight.js';
import { chargeRequest } from '../../peer/memory.js';
import { maxAskPauseMs, pausesOf } from '../../peer/deadline-pauses.js';
import { intercept } from '../../interceptors/intercept.js';
import { handleNotification } from '../../peer/notification-handler.js';
import { answer } from './ask-handler.js';
import type { Answers, RequestsHost, ServerRequests } from './answers.js';
import { sendAsks } from './ask-queue.js';

/** Creates an offer whose methods and notifications a client, or both sides, can handle. */
export function defineAnsweredOffer(parts: OfferDefinition): Offer {
  return defineOffer(parts.side === 'server' ? parts : { ...parts, answers });
}

const answers: Answers = {
  Writer: BacklogWriter,
  intercept,
  requests: (host) => new Requests(host),
  questions(asks, methods, from, done) {
    const held = new HeldBytes(processMemory(), from.holder);
    if (!held.resize(memoryOf(estimateBytes([...asks.values()], Infinity)))) {
      done(noMemory(from.method));
      return () => undefined;
    }
    // Between two rounds only this timer keeps the process alive for the caller.
    const limit = refTimer(() => {
      held.resize(0);
      const message = `an ask of "${from.method}" was not answered within ${maxAskPauseMs} ms`;
      done(new RxmcpError('TIMEOUT', message, { outcome: 'answered' }));
    }, maxAskPauseMs);
    const withdraw = sendAsks(
      asks,
      // A handler may cancel the call while it runs. The remaining asks are then not handled.
      (ask, put) => (from.isOpen() ? answer(methods.get(ask.method), ask, from, put) : () => undefined),
      (given) => {
        clearTimeout(limit);
        held.resize(0);
        done(given);
      },
    );
    return () => {
      clearTimeout(limit);
      held.resize(0);
      withdraw();
    };
  },
};

/** The methods of which a handler may ask in every revision. */
const asking: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

class Requests implements ServerRequests, ExchangeHost, AskHost {
  readonly #inFlight: InFlight;
  readonly #admission: Admission;
  readonly memory = processMemory();
  readonly holder: string;

  constructor(private readonly host: RequestsHost) {
    const { maxConcurrentRequests, maxQueuedRequests } = host.definition.limits;
    this.holder = host.holder;
    this.#inFlight = new InFlight(host.connection.traits.idScope === 'lane');
    this.#admission = new Admission(maxConcurrentRequests, maxQueuedRequests, {
      run: (exchange) => exchange.run(),
    });
  }

  get writer(): BacklogWriter {
    return this.host.writer as BacklogWriter;
  }

  fault(fault: Fault): void {
    this.host.fault(fault);
  }

  callOwners(lane: Lane | undefined): readonly (object | undefined)[] {
    return [...this.host.peer.calls.values()]
      .filter((call) => asking.has(call.method) && (lane === undefined || call.lane === lane))
      .map(({ owner }) => owner);
  }

  has(id: RequestId, lane: Lane | undefined): boolean {
    return this.#inFlight.get(id, lane) !== undefined;
  }

  serve(
    request: JsonRpcRequest,
    receiveInfo: ReceiveInfo | undefined,
    offer: MethodOffer,
    heldBytes: number,
  ): void {
    const { version, server: caller, peer } = this.host;
    let meta: JsonObject = {};
    try {
      meta = metaOf(request);
    } catch {
      // A malformed `_meta` is no reason to reject a request of the server.
    }
    const claim = { version, caller, meta, progressToken: tokenOf(meta), logLevel: undefined };
    const exchange = new Exchange(this, clientAnswers, claim, request, receiveInfo);
    exchange.offer = offer;
    this.#inFlight.add(exchange);
    // The deadline of a call pauses while its own user is being asked.
    exchange.onEnd = peer.calls.pause(pausesOf, exchange.lane);
    if (!chargeRequest(exchange, heldBytes) || !this.#admission.admit(exchange)) exchange.overloaded();
  }

  cancelled(id: RequestId, lane: Lane | undefined): void {
    const asked = this.#inFlight.get(id, lane);
    asked?.cancel(
      new RxmcpError('CANCELLED', `"${asked.method}" was cancelled by the server`, { outcome: 'unknown' }),
    );
  }

  notified(offer: NotificationOffer, params: JsonObject): void {
    handleNotification(offer, params, this.host.server, this);
  }

  finished(exchange: Exchange): void {
    if (this.#inFlight.delete(exchange)) this.#admission.release(exchange);
  }

  over(cause: Error): void {
    this.#admission.close();
    for (const exchange of this.#inFlight.all()) exchange.cancel(cause);
  }
}
