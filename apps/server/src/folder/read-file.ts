import { tooLarge } from '../errors.js';
import type { Folder } from './folder.js';
import { openFile } from './open-file.js';
import type { FileEntry } from './scan.js';

/** Most bytes of one file. */
const maxFileBytes = 4 * 1_048_576;

/** Most bytes of a file as JSON, so that a message of 4 MiB has room for it. */
const maxEncodedBytes = maxFileBytes - 64 * 1_024;

/** What a file holds: text where its bytes are UTF-8 without NUL. */
export type FileValue =
  { readonly text: string; readonly blob?: never } | { readonly blob: Uint8Array; readonly text?: never };

/** Reads a whole file. Rejects with RESOURCE_NOT_FOUND, INVALID_PARAMS where it is out of bounds, TOO_LARGE. */
export async function readFile(
  folder: Folder,
  entry: FileEntry,
  maxBytes = maxFileBytes,
): Promise<FileValue> {
  const handle = await openFile(folder, entry);
  try {
    const { size } = await handle.stat();
    if (size > maxBytes) throw tooLarge(`"${entry.path}" has ${size} bytes, more than ${maxBytes}`, {});
    // A file that grows meanwhile is read as far as it was.
    const bytes = new Uint8Array(size);
    const { bytesRead } = await handle.read(bytes, 0, size, 0);
    const value = valueOf(bytes.subarray(0, bytesRead));
    const encoded = encodedBytes(value);
    if (encoded > maxEncodedBytes)
      throw tooLarge(
        `"${entry.path}" has ${size} bytes, which take ${encoded} in a message, more than ${maxEncodedBytes}`,
        {},
      );
    return value;
  } finally {
    await handle.close();
  }
}

/** The bytes of a value in a message: base64 is a third longer, and JSON escapes characters. */
function encodedBytes({ text, blob }: FileValue): number {
  return text === undefined ? 4 * Math.ceil(blob.length / 3) : Buffer.byteLength(JSON.stringify(text));
}

function valueOf(bytes: Uint8Array): FileValue {
  if (bytes.includes(0)) return { blob: bytes };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { blob: bytes };
  }
}
