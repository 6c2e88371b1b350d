import type { IncomingMessage } from 'node:http';
import { ChunkBuffer } from '../guard/chunk-buffer.js';
import { HeldBytes } from '../memory/held-bytes.js';
import { processMemory } from '../memory/memory-budget.js';
import { addressHolder } from './request-head.js';

/**
 * Keeps what arrives of a body that is not read yet, while the caller is authenticated. It is in one piece, since Node would keep each
 * chunk in hundreds of bytes, and charged to the address of the socket, since the caller is not known.
 */
export class UnreadBody {
  readonly #chunks = new ChunkBuffer();
  readonly #held: HeldBytes;

  /** @param full Called where the charge is rejected. */
  constructor(
    private readonly request: IncomingMessage,
    full: () => void,
  ) {
    this.#held = new HeldBytes(processMemory(), addressHolder(request.socket));
    request.push = (chunk: Uint8Array | null): boolean => {
      if (chunk === null) {
        this.#toNode();
        return request.push(null);
      }
      this.#chunks.append(chunk);
      const { byteLength } = this.#chunks;
      if (!this.#held.resize(byteLength)) full();
      return byteLength < request.readableHighWaterMark;
    };
  }

  /** Passes on what has arrived, and all further chunks, and releases the charge. */
  passOn(): void {
    this.#toNode();
    this.#held.resize(0);
  }

  #toNode(): void {
    const { request } = this;
    const chunks = this.#chunks;
    // The method of the class again.
    delete (request as Partial<IncomingMessage>).push;
    if (chunks.byteLength > 0) request.push(chunks.toBytes());
    chunks.clear();
  }
}
