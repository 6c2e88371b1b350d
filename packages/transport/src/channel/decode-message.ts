import { decode, WireError } from '@rxmcp/jsonrpc';
import { exceedsBytes } from '../base/message-size.js';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the text of UTF-8. Throws a WireError `TOO_LARGE` for more than `maxBytes` bytes, and `PARSE_ERROR` for other bytes. */
export function decodeUtf8(utf8: Uint8Array, maxBytes: number): string {
  if (utf8.length > maxBytes) throw tooLarge(maxBytes);
  try {
    return strictUtf8.decode(utf8);
  } catch (cause) {
    const message = `a message of ${String(utf8.length)} bytes is not valid UTF-8`;
    throw new WireError('PARSE_ERROR', message, { cause });
  }
}

/** Returns what `decode` of jsonrpc returns. Throws a WireError also for more than `maxBytes` bytes, with code `TOO_LARGE`. */
export function decodeMessage(text: string, maxBytes: number): unknown {
  if (exceedsBytes(text, maxBytes)) throw tooLarge(maxBytes);
  return decode(text);
}

function tooLarge(maxBytes: number): WireError {
  return new WireError('TOO_LARGE', `a message is larger than ${String(maxBytes)} bytes`);
}
