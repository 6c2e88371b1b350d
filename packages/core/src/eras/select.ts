import { TransportError } from '@rxmcp/transport';
import { timer } from '../base/clock.js';
import { RxmcpError, RpcError } from '../base/errors.js';
import type { DialledConnection, Greeting } from './dialled.js';
import { greet, greeted, legacySession } from './legacy/index.js';
import { discoverServer, modernSession } from './modern/index.js';

const modernCodes: ReadonlySet<number> = new Set([-32020, -32021, -32022]);

/** The server left while it was being probed: a new connection has to open with the handshake. */
export const probeKilled = Symbol('probeKilled');

/**
 * Opens a session: probes for the modern era first and falls back to the handshake on the same connection when the server
 * answers with anything but a modern word, its carrier refuses the probe, or it does not answer within `probeTimeoutMs` on a
 * shared pipe. A late modern answer still counts until the handshake is done. Rejects with what ended the opening. Spec
 * 2026-07-28 basic/versioning#compatibility-matrix.
 */
export function open(
  session: DialledConnection,
  options: { readonly handshakeOnly: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const { versions } = session;
  const probes = versions.modern.length > 0 && !options.handshakeOnly;
  const shakes = versions.legacy.length > 0;
  return new Promise((resolve, reject) => {
    let over = false;
    let dropProbe: () => void = () => undefined;
    let dropShake: (() => void) | undefined;
    let alarm = undefined as ReturnType<typeof setTimeout> | undefined;
    let retried = false;

    const end = (settle: () => void): void => {
      if (over) return;
      over = true;
      clearTimeout(alarm);
      options.signal.removeEventListener('abort', aborted);
      dropProbe();
      dropShake?.();
      settle();
    };
    const fail = (error: unknown): void => end(() => reject(error as Error));
    const aborted = (): void => fail(options.signal.reason);

    const beModern = (greeting: Greeting): void =>
      end(() => {
        session.era = modernSession;
        settleOn(session, greeting);
        resolve();
      });
    const beLegacy = (greeting: Greeting): void =>
      end(() => {
        session.era = legacySession;
        settleOn(session, greeting);
        greeted(session);
        resolve();
      });

    const shake = (cause?: Error): void => {
      if (over || dropShake !== undefined) return;
      if (!shakes) {
        // Who is only too busy may speak it all the same.
        if (RpcError.is(cause) && cause.retryable) return fail(cause);
        const message = 'the server does not speak any revision this client may speak';
        fail(new RxmcpError('NO_COMMON_VERSION', message, cause === undefined ? {} : { cause }));
        return;
      }
      clearTimeout(alarm);
      dropShake = greet(session, versions.legacy[0] as string, (answer) => {
        if (!(answer instanceof Error)) beLegacy(answer);
        else if (!modernWord(answer)) fail(answer);
      });
    };
    const probe = (version: string): void => {
      dropProbe();
      dropProbe = discoverServer(session, version, (answer) => {
        if (!(answer instanceof Error)) beModern(answer);
        else if (!modernWord(answer)) afterProbe(answer);
      });
    };
    const afterProbe = (error: Error): void => {
      // An answer of whatever other kind means a server of the older era; a lost connection means that it fled. Who may
      // call, and what happens on the way, say nothing of the era.
      const foreign = RpcError.is(error) || failed(error, 'REJECTED');
      if (foreign || RxmcpError.is(error, 'PROTOCOL_ERROR') || RxmcpError.is(error, 'INVALID_RESULT'))
        shake(error);
      else if (RxmcpError.is(error, 'NO_COMMON_VERSION')) {
        if (legacyOverlap(error.data?.supported)) shake(error);
        else fail(error);
      } else if (
        session.peer.isOver &&
        !failed(error, 'UNAUTHORIZED') &&
        session.connection.traits.redialable &&
        shakes &&
        dropShake === undefined
      ) {
        end(() => reject(probeKilled as unknown as Error));
      } else fail(error);
    };
    // A modern server said which versions it speaks: choose from them once. True when the answer was such a word.
    const modernWord = (error: Error): boolean => {
      if (!RpcError.is(error) || !modernCodes.has(error.code) || versions.modern.length === 0) return false;
      const supported = (error.data as { supported?: unknown } | undefined)?.supported;
      const common = versions.modern.find((v) => Array.isArray(supported) && supported.includes(v));
      if (common !== undefined && !retried) {
        retried = true;
        probe(common);
      } else if (legacyOverlap(supported) && dropShake === undefined) shake();
      else fail(error);
      return true;
    };
    const legacyOverlap = (supported: unknown): boolean =>
      Array.isArray(supported) && versions.legacy.some((v) => supported.includes(v));

    if (options.signal.aborted) return aborted();
    options.signal.addEventListener('abort', aborted);
    if (!probes) return shake();
    // Without a handshake to fall back to, silence is a matter of the whole budget. So it is where the probe has an
    // exchange of its own: there silence is that of a slow way or server, since an older one would refuse.
    if (shakes && session.connection.traits.lanes === 'shared')
      alarm = timer(() => shake(), session.definition.probeTimeoutMs);
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
