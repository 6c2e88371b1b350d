import type { Observable } from 'rxjs';
import { map } from 'rxjs';
import { ToolError } from './tool-error.js';
import type { ToolResult } from './types.js';

/**
 * Makes a result that says `isError` an error: for `pipe`, after `call`. Errors with {@link ToolError}, which carries the
 * result. @stream call
 */
export function orThrow(): (source: Observable<ToolResult>) => Observable<ToolResult> {
  return map((result) => {
    if (result.isError === true) throw ToolError.of(result);
    return result;
  });
}
