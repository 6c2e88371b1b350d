import { readChunks } from '@rxmcp/transport/internal';

/** The largest response of an authorization server that is read, in bytes. */
const maxBytes = 256 * 1024;

/** Reads a body of at most 256 KiB. Rejects with `tooLarge` for a larger one, and with the reason of `signal` once that is aborted. */
export async function readText(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  tooLarge: (maxBytes: number) => Error,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  await readChunks(body, signal, (chunk) => {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    text += decoder.decode(chunk, { stream: true });
  });
  signal.throwIfAborted();
  return text + decoder.decode();
}
