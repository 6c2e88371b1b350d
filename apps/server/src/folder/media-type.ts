import { Mime } from 'mime';
import otherTypes from 'mime/types/other.js';
import standardTypes from 'mime/types/standard.js';

// What IANA registered for these endings is something else (`ts` a video, `rs` a service description) or nothing.
const sourceCode: Record<string, string[]> = {
  'text/x-typescript': ['ts', 'mts', 'cts', 'tsx'],
  'text/jsx': ['jsx'],
  'text/x-rust': ['rs'],
  'text/x-python': ['py', 'pyi'],
  'text/x-go': ['go'],
  'text/x-kotlin': ['kt', 'kts'],
  'text/x-swift': ['swift'],
  'text/x-ruby': ['rb'],
  'text/x-csharp': ['cs'],
  'application/jsonl': ['jsonl', 'ndjson'],
  'text/plain': ['lock'],
};

const types = new Mime(standardTypes, otherTypes).define(sourceCode, true);

/** What a directory is called. */
export const directoryType = 'inode/directory';

/** The media type for the extension of a file; undefined if it is unknown. */
export function mediaTypeOf(path: string): string | undefined {
  return types.getType(path) ?? undefined;
}
