import type { CallOptions, Remote } from 'rxmcp';
import { type Completion, completion } from 'rxmcp/completion';
import type { Observable } from 'rxjs';
import { UsageError } from './usage.js';

/**
 * What a server suggests for the last of the arguments, which begins as it is given; the others are told as known. A name with
 * a brace is the text of a uri template. Throws a UsageError without arguments.
 */
export function suggestions(
  remote: Remote,
  name: string,
  args: Readonly<Record<string, string>>,
  options: CallOptions,
): Observable<Completion> {
  const known = Object.entries(args);
  const last = known.pop();
  if (last === undefined)
    throw new UsageError('complete needs ARGS, whose last member is completed, such as {"name": "A"}');
  const [argument, typed] = last;
  const asked = known.length === 0 ? options : { ...options, arguments: Object.fromEntries(known) };
  return name.includes('{')
    ? completion(remote).template(name, argument, typed, asked)
    : completion(remote).prompt(name, argument, typed, asked);
}
