import { type Answer, refusal } from './answer.js';

/** How long a body may take to come, in milliseconds. */
export const bodyMs = 30_000;

/** Gives the value of a header, by its name in lower case. */
export type HeaderOf = (name: string) => string | undefined;

/** Why a request for the stream is refused, if it is. */
export function refuseGet(method: string, header: HeaderOf): Answer | undefined {
  if (method !== 'GET') return notAllowed(method, 'GET');
  if (acceptsStream(header('accept'))) return undefined;
  return refusal(406, 'the stream is text/event-stream, which "Accept" does not name');
}

/** Why a posted message is refused before its body is read, if it is. */
export function refusePost(method: string, header: HeaderOf, maxBytes: number): Answer | undefined {
  if (method !== 'POST') return notAllowed(method, 'POST');
  const type = header('content-type');
  // The first is what nearly everybody sends.
  if (type !== 'application/json' && !isJson(type)) {
    return refusal(415, 'a message must be application/json in UTF-8');
  }
  const encoding = header('content-encoding');
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return refusal(415, 'a message must not be compressed');
  }
  return Number(header('content-length') ?? 0) > maxBytes ? tooLarge(maxBytes) : undefined;
}

/** The body is larger than a message may be: nothing more of this connection is wanted. */
export function tooLarge(maxBytes: number): Answer {
  return refusal(413, `a message must have at most ${String(maxBytes)} bytes`, { connection: 'close' });
}

/** The body did not come: nothing more of this connection is waited for. */
export const tooSlow: Answer = refusal(408, 'the message did not come in time', { connection: 'close' });

/** The id of a session in the target of a request; undefined where there is none, or more than one. */
export function sessionIdOf(target: string): string | undefined {
  const at = target.indexOf('?');
  if (at < 0) return undefined;
  const found = new URLSearchParams(target.slice(at)).getAll('sessionId');
  return found.length === 1 && found[0] !== '' ? found[0] : undefined;
}

/** The path of the target of a request. */
export function pathOf(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? target : target.slice(0, at);
}

function notAllowed(method: string, allowed: string): Answer {
  const allow = `${allowed}, OPTIONS`;
  if (method === 'OPTIONS') return { status: 204, headers: { allow }, body: '' };
  return refusal(405, `only ${allowed} is served here`, { allow });
}

const json = /^application\/json[\t ]*(?:;(.*))?$/i;

function isJson(type: string | undefined): boolean {
  const match = json.exec(type?.trim() ?? '');
  if (match === null) return false;
  const charset = /(?:^|;)[\t ]*charset[\t ]*=[\t ]*"?([^";\t ]*)/i.exec(match[1] ?? '')?.[1];
  return charset === undefined || charset.toLowerCase() === 'utf-8';
}

/** A client that says nothing takes what it gets. */
function acceptsStream(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const refused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    return !refused && (type === '*/*' || type === 'text/*' || type === 'text/event-stream');
  });
}
