import type { EventOut } from './event-writer.js';

/** Who hears what becomes of a {@link StreamOut}. */
export interface OutListener {
  onDrain(): void;
  onGone(): void;
}

const bufferedBytes = 64 * 1024;

/** The body of a web response as the way out of a stream. */
export class StreamOut implements EventOut {
  readonly body: ReadableStream<Uint8Array>;
  listener: OutListener | undefined;
  private readonly encoder = new TextEncoder();
  private controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor() {
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.controller = controller),
        pull: () => this.listener?.onDrain(),
        cancel: () => this.gone(),
      },
      { highWaterMark: bufferedBytes, size: ({ length }) => length },
    );
  }

  write(text: string): boolean {
    this.controller?.enqueue(this.encoder.encode(text));
    return (this.controller?.desiredSize ?? 1) > 0;
  }

  end(): void {
    const { controller } = this;
    this.gone();
    controller?.close();
  }

  destroy(): void {
    const { controller } = this;
    this.gone();
    controller?.error(new TypeError('The stream was cut.'));
  }

  soon(run: () => void): void {
    queueMicrotask(run);
  }

  private gone(): void {
    if (this.controller === undefined) return;
    this.controller = undefined;
    this.listener?.onGone();
  }
}
