/** One response of HTTP/1.1, and how many bytes it took. */
export interface HttpResponse {
  readonly status: number;
  /** The head as it came, names included. */
  readonly head: string;
  readonly body: string;
  readonly size: number;
}

const noBody = new Set([204, 304]);

/** The first response in these bytes, with a body of declared length or in chunks; undefined while it is not whole. */
export function parseResponse(bytes: Buffer): HttpResponse | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const status = Number(head.slice(9, 12));
  const start = end + 4;
  if (noBody.has(status)) return { status, head, body: '', size: start };
  const length = headerIn(head, 'content-length');
  if (length !== undefined) {
    const size = start + Number(length);
    return bytes.length < size
      ? undefined
      : { status, head, body: bytes.toString('utf8', start, size), size };
  }
  if (headerIn(head, 'transfer-encoding')?.toLowerCase() !== 'chunked') {
    throw new Error(`a response without a length: ${head}`);
  }
  const chunks = chunksIn(bytes, start);
  return chunks && { status, head, ...chunks };
}

/** The value of a header; the name in lower case. */
export function headerIn(head: string, name: string): string | undefined {
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon === name.length && line.slice(0, colon).toLowerCase() === name)
      return line.slice(colon + 1).trim();
  }
  return undefined;
}

function chunksIn(bytes: Buffer, start: number): { body: string; size: number } | undefined {
  const parts: Buffer[] = [];
  for (let at = start; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const length = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const from = lineEnd + 2;
    at = from + length + 2;
    if (bytes.length < at) return undefined;
    if (length === 0) return { body: Buffer.concat(parts).toString(), size: at };
    parts.push(bytes.subarray(from, from + length));
  }
}
