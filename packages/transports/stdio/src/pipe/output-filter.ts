import { decode, WireError } from '@rxmcp/jsonrpc';
import { type Sink, TransportError } from '@rxmcp/transport';
import { shown } from '@rxmcp/transport/internal';

const maxBeforeFirst = 100 * 1024;
/** How many faults are reported at first; then every thousandth is reported, with the total count. */
const reportedAll = 16;
/** What a line counts whose length is not known, since it is no text. */
const unreadableChars = 1024;

/**
 * Keeps lines that cannot be messages away from the connection. Up to the first message a line that begins like one is
 * read here as well: programs that are no MCP server also print what begins with a brace, and logs in JSON.
 */
export class OutputFilter {
  #sawMessage = false;
  #count = 0;
  #chars = 0;

  /** @param tooMuch Called once when 100 KiB of other output came before the first message: the child is not an MCP server. */
  constructor(
    private readonly sink: Sink,
    private readonly tooMuch: (error: TransportError) => void,
  ) {}

  line(text: string): void {
    const kind = this.#kindOf(text);
    if (kind === 'message') this.#sawMessage = true;
    if (kind !== 'noise') this.sink.text(text);
    else {
      this.#count += 1;
      if (this.#count <= reportedAll || this.#count % 1_000 === 0) {
        this.sink.fault(unexpectedOutputFault(text, this.#count));
      }
    }
    if (kind !== 'message') this.#weigh(text.length + 1);
  }

  /** A line that is no text, which is reported elsewhere. */
  unreadable(): void {
    this.#weigh(unreadableChars);
  }

  #kindOf(text: string): 'message' | 'other' | 'noise' {
    if (!looksLikeMessage(text)) return 'noise';
    if (this.#sawMessage) return 'message';
    try {
      // What can be read is for the connection to judge; here it only counts or does not.
      return isMessage(decode(text)) ? 'message' : 'other';
    } catch (error) {
      return WireError.is(error) && error.code === 'PARSE_ERROR' ? 'noise' : 'other';
    }
  }

  #weigh(chars: number): void {
    if (this.#sawMessage) return;
    this.#chars += chars;
    if (this.#chars < maxBeforeFirst) return;
    this.#chars = Number.NEGATIVE_INFINITY;
    const message = `${String(maxBeforeFirst / 1024)} KiB of other output came before the first message`;
    this.tooMuch(new TransportError('OVERFLOW', message, { details: { noiseLines: this.#count } }));
  }
}

function isMessage(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isMessage);
  return typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0';
}

const brace = 0x7b;
const bracket = 0x5b;

/** Whether a line can be a message: its first character that is not blank opens an object or an array. */
export function looksLikeMessage(line: string): boolean {
  const first = line.charCodeAt(0);
  if (first === brace || first === bracket) return true;
  const start = line.trimStart().charCodeAt(0);
  return start === brace || start === bracket;
}

/** The fault of output that is no message; `count` such outputs came so far. */
export function unexpectedOutputFault(text: string, count: number): TransportError {
  return new TransportError('UNEXPECTED_OUTPUT', `output that is not a message was skipped: ${shown(text)}`, {
    details: { count },
  });
}
