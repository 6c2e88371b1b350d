import type { Context, Implementation } from 'rxmcp';
import type { ElicitWarning } from 'rxmcp/elicitation';
import { inline } from '../printable.js';
import type { Terminal } from '../terminal.js';

/** The name that the asking server gives itself: a person must know whom they answer. */
export function nameOf({ caller }: Context): string {
  return shownName(caller.info);
}

/** The name for display of a server. */
export function shownName(info: Implementation | undefined): string {
  const { name, title = name } = info ?? {};
  // As JSON: a name with quotes and line breaks must not look like text of the client.
  return title === undefined ? 'The server' : `The server ${inline(JSON.stringify(title.slice(0, 200)))}`;
}

/** Shows what a person should know before they answer. */
export function warned(terminal: Terminal, warnings: readonly ElicitWarning[]): void {
  for (const { message } of warnings) terminal.say(`! ${inline(message)}`);
}
