import { TransportError } from '@rxmcp/transport';
import { timer } from '../base/clock.js';
import { invalidResult, RxmcpError, RpcError } from '../base/errors.js';
import { declaredSizeProblem } from './declared-size.js';
import type { DialledConnection, Greeting, SessionEra } from './dialled.js';
import { greet, greeted, legacySession } from './legacy/index.js';
import { discoverServer, modernSession } from './modern/index.js';
import { noCommonVersion } from './versions.js';

const modernCodes: ReadonlySet<number> = new Set([-32020, -32021, -32022]);

/** The server disconnected during the probe. A new connection must start with the handshake. */
export const probeKilled = Symbol('probeKilled');

/**
 * Opens a session. Probes for the modern era first, and falls back to the handshake on the same connection if the
 * server responds with an error of the legacy era, its transport rejects the probe, or there is no response within
 * `probeTimeoutMs` on a shared pipe. A late modern response still counts until the handshake is done. Rejects with
 * the error that ended the opening.
 * @see Spec 2026-07-28 basic/versioning#compatibility-matrix
 */
export function open(
  session: DialledConnection,
  options: { readonly handshakeOnly: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const { versions } = session;
  const probes = versions.modern.length > 0 && !options.handshakeOnly;
  const hasLegacy = versions.legacy.length > 0;
  return new Promise((resolve, reject) => {
    let over = false;
    let cancelProbe: () => void = () => undefined;
    let cancelHandshake: (() => void) | undefined;
    let alarm = undefined as ReturnType<typeof setTimeout> | undefined;
    let retried = false;

    const end = (settle: () => void): void => {
      if (over) return;
      over = true;
      clearTimeout(alarm);
      options.signal.removeEventListener('abort', aborted);
      cancelProbe();
      cancelHandshake?.();
      settle();
    };
    const fail = (error: unknown): void => end(() => reject(error as Error));
    const aborted = (): void => fail(options.signal.reason);

    const be = (era: SessionEra, method: string, greeting: Greeting): void => {
      for (const [name, declared] of Object.entries(greeting)) {
        const problem = declaredSizeProblem(name, declared);
        if (problem !== undefined) return fail(invalidResult(method, `is too large: ${problem}`));
      }
      end(() => {
        session.era = era;
        settleOn(session, greeting);
        if (era === legacySession) greeted(session);
        resolve();
      });
    };

    const startHandshake = (cause?: Error): void => {
      if (over || cancelHandshake !== undefined) return;
      if (!hasLegacy) {
        // A server that is only overloaded may still support the modern era.
        if (RpcError.is(cause) && cause.retryable) return fail(cause);
        fail(noCommonVersion(undefined, versions, cause === undefined ? {} : { cause }));
        return;
      }
      clearTimeout(alarm);
      cancelHandshake = greet(session, versions.legacy[0] as string, (outcome) => {
        if (!(outcome instanceof Error)) be(legacySession, 'initialize', outcome);
        else if (!handleModernError(outcome)) fail(outcome);
      });
    };
    const probe = (version: string): void => {
      cancelProbe();
      cancelProbe = discoverServer(session, version, (outcome) => {
        if (!(outcome instanceof Error)) be(modernSession, 'server/discover', outcome);
        else if (!handleModernError(outcome)) afterProbe(outcome);
      });
    };
    const afterProbe = (error: Error): void => {
      // Any other response means a server of the legacy era; a lost connection means that the probe crashed it.
      // Errors of authorization and of the network say nothing about the era.
      const foreign = RpcError.is(error) || failed(error, 'REJECTED');
      if (foreign || RxmcpError.is(error, 'PROTOCOL_ERROR') || RxmcpError.is(error, 'INVALID_RESULT'))
        startHandshake(error);
      else if (RxmcpError.is(error, 'NO_COMMON_VERSION')) {
        if (legacyOverlap(error.data?.supported)) startHandshake(error);
        else fail(error);
      } else if (
        session.peer.isOver &&
        !failed(error, 'UNAUTHORIZED') &&
        session.connection.traits.redialable &&
        hasLegacy &&
        cancelHandshake === undefined
      ) {
        end(() => reject(probeKilled as unknown as Error));
      } else fail(error);
    };
    // A modern server named its versions: probe once more with a common one. Returns true if the error was of this
    // kind.
    const handleModernError = (error: Error): boolean => {
      if (!RpcError.is(error) || !modernCodes.has(error.code) || versions.modern.length === 0) return false;
      const supported = (error.data as { supported?: unknown } | undefined)?.supported;
      const common = versions.modern.find((v) => Array.isArray(supported) && supported.includes(v));
      if (common !== undefined && !retried) {
        retried = true;
        probe(common);
      } else if (legacyOverlap(supported) && cancelHandshake === undefined) startHandshake();
      else fail(error);
      return true;
    };
    const legacyOverlap = (supported: unknown): boolean =>
      Array.isArray(supported) && versions.legacy.some((v) => supported.includes(v));

    if (options.signal.aborted) return aborted();
    options.signal.addEventListener('abort', aborted);
    if (!probes) return startHandshake();
    // Without a handshake to fall back to, the probe may take the whole time limit. So it may with a lane of its
    // own: an older server would reject there, so that silence only means a slow network or server.
    if (hasLegacy && session.connection.traits.lanes === 'shared')
      alarm = timer(() => startHandshake(), session.definition.probeTimeoutMs);
    probe(versions.modern[0] as string);
  });
}

function failed(error: Error, code: TransportError['code']): boolean {
  return TransportError.is(error) && error.code === code;
}

function settleOn(session: DialledConnection, greeting: Greeting): void {
  session.version = greeting.version;
  session.greeting = greeting;
  if (session.connection.traits.carriesHeaders) session.writer.version = greeting.version;
}
