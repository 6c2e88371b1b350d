import { readResponseId, withKnownRequestId } from './response-id.js';
import { checkEnvelope } from './envelope-members.js';
import { checkShape, defaultJsonLimits, type JsonLimits } from './json-shape.js';
import { WireError } from './wire-error.js';

/**
 * Parses one message or batch from text that is not trusted; its kind is not looked at, see `kindOf`.
 * Throws a {@link WireError}: PARSE_ERROR for what is no JSON (a byte order mark included), INVALID_MESSAGE for what nests too
 * deep, holds too many values, or names an envelope member (`jsonrpc`, `id`, `method`, `params`, `result`, `error`) twice.
 */
export function decode(text: string, limits: JsonLimits = defaultJsonLimits): unknown {
  try {
    checkShape(text, limits);
    const value = parse(text);
    checkEnvelope(text, value);
    return value;
  } catch (error) {
    // Somebody may be waiting for this answer, whatever is wrong with it.
    throw WireError.is(error) && error.code === 'INVALID_MESSAGE'
      ? withKnownRequestId(error, readResponseId(text))
      : error;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new WireError('PARSE_ERROR', 'the text is not valid JSON', { cause });
  }
}
