import { walkMembers } from '../json/json-scan.js';
import { isRequestId, type JsonObject } from '../messages/messages.js';
import { WireError } from '../messages/wire-error.js';

const members: readonly string[] = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'];

/**
 * Throws a {@link WireError} when a message, or an entry of a batch, has a top-level member twice. Parsers differ in which one
 * they keep, so two readers of one text could act on different messages.
 * `value` is what the text parses to. The text is walked only when a second occurrence of a name leaves a duplicate possible.
 */
export function checkEnvelope(text: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) walk(text, 2, undefined);
  else if (mayRepeat(text, value as JsonObject)) walk(text, 1, value as JsonObject);
}

/** Only a parsed member can occur twice, in plain letters or with escaped ASCII letters. */
function mayRepeat(text: string, message: JsonObject): boolean {
  return (
    text.indexOf('\\u00') >= 0 ||
    (message.jsonrpc !== undefined && occursTwice(text, 'jsonrpc"')) ||
    (message.id !== undefined && occursTwice(text, 'id"')) ||
    (message.method !== undefined && occursTwice(text, 'method"')) ||
    (message.params !== undefined && occursTwice(text, 'params"')) ||
    (message.result !== undefined && occursTwice(text, 'result"')) ||
    (message.error !== undefined && occursTwice(text, 'error"'))
  );
}

function occursTwice(text: string, name: string): boolean {
  return text.indexOf(name, text.indexOf(name) + 1) >= 0;
}

/** Checks the member names of the objects at one depth; the text is known to be valid JSON. */
function walk(text: string, envelopeDepth: number, message: JsonObject | undefined): void {
  let seen = 0;
  const member = (quotedName: string): void => {
    const bit = bitOf(quotedName);
    if ((seen & bit) !== 0) throw duplicate(bit, message);
    seen |= bit;
  };
  walkMembers(text, envelopeDepth, member, () => (seen = 0));
}

/** One bit per top-level member, 0 for any other name. A name may be spelled with escapes. */
function bitOf(quoted: string): number {
  const name = quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
  const index = members.indexOf(name);
  return index < 0 ? 0 : 1 << index;
}

function duplicate(bit: number, message: JsonObject | undefined): WireError {
  const name = members[31 - Math.clz32(bit)] ?? '';
  // Of two ids, neither is certain to be the one that the sender meant.
  const id = name !== 'id' && message?.method !== undefined ? message.id : undefined;
  return new WireError('INVALID_MESSAGE', `the member "${name}" occurs twice`, {
    id: isRequestId(id) ? id : undefined,
  });
}
