import { type Sink, TransportError } from '@rxmcp/transport';
import { mayBeMessage, noiseFault } from './noise.js';

const maxBeforeFirst = 100 * 1024;
/** All of the first ones are reported, then every thousandth: the count in the fault tells the rest. */
const reportedAll = 100;

/** Keeps lines that cannot be messages away from the connection. */
export class NoiseFilter {
  private readonly sink: Sink;
  private readonly tooMuch: (error: TransportError) => void;
  private sawMessage = false;
  private count = 0;
  private chars = 0;

  /** @param tooMuch Told once when 100 KiB of noise came before the first message: this is no MCP server. */
  constructor(sink: Sink, tooMuch: (error: TransportError) => void) {
    this.sink = sink;
    this.tooMuch = tooMuch;
  }

  line(text: string): void {
    if (mayBeMessage(text)) {
      this.sawMessage = true;
      this.sink.text(text);
      return;
    }
    this.count += 1;
    if (this.count <= reportedAll || this.count % 1_000 === 0) this.sink.fault(noiseFault(text, this.count));
    if (this.sawMessage) return;
    this.chars += text.length + 1;
    if (this.chars < maxBeforeFirst) return;
    this.chars = Number.NEGATIVE_INFINITY;
    const message = `${String(maxBeforeFirst / 1024)} KiB of output came before the first message.`;
    this.tooMuch(new TransportError('OVERFLOW', message, { details: { noiseLines: this.count } }));
  }
}
