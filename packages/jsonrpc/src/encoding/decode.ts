import { readResponseId, withKnownRequestId } from '../messages/response-id.js';
import { checkEnvelope } from './envelope-members.js';
import { checkShape, defaultJsonLimits, type JsonLimits } from '../json/json-shape.js';
import { WireError } from '../messages/wire-error.js';

/**
 * Parses one message or batch from untrusted text, without checking its kind, see `messageKind`.
 * @param limits Bounds on depth and number of values. @default {@link defaultJsonLimits}
 * @throws {@link WireError} PARSE_ERROR for text that is not JSON (a byte order mark included), INVALID_MESSAGE for
 * JSON that is nested too deep, has too many values, or has a top-level member (`jsonrpc`, `id`, `method`, `params`,
 * `result`, `error`) twice
 */
export function decode(text: string, limits: JsonLimits = defaultJsonLimits): unknown {
  try {
    checkShape(text, limits);
    const value = parse(text);
    checkEnvelope(text, value);
    return value;
  } catch (error) {
    // A caller may be waiting for this response: with the id of its request, that call can fail.
    throw WireError.is(error) && error.code === 'INVALID_MESSAGE'
      ? withKnownRequestId(error, readResponseId(text))
      : error;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // V8's own error keeps the whole text as long as the error is kept.
    throw new WireError('PARSE_ERROR', 'the text is not valid JSON', {
      cause: new SyntaxError((error as Error).message),
    });
  }
}
