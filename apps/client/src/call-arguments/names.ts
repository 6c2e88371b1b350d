import { didYouMean } from '@rxmcp/app-serving/nearest';
import { UsageError } from '@rxmcp/app-serving/usage-error';

/** Shorter names are near to any other. */
const minLength = 3;

/**
 * Returns the names of arguments that are not those of their tool or prompt. Throws a UsageError for one that is nearly the name of a missing
 * argument: a list need not have all names, so others may be right.
 */
export function unknownNames(
  owner: string,
  given: Iterable<string>,
  names: readonly string[],
): readonly string[] {
  const unknown = new Set(given);
  const missing = names.filter((name) => !unknown.delete(name));
  for (const name of unknown) {
    const hint = name.length < minLength ? '' : didYouMean(name, missing);
    if (hint !== '') throw new UsageError(`${JSON.stringify(owner)} has no argument "${name}"${hint}`);
  }
  return [...unknown];
}

/** Describes arguments that are sent, though their tool or prompt does not list them; empty if it lists all of them. */
export function unlisted(owner: string, unknown: readonly string[], names: readonly string[]): string {
  if (unknown.length === 0) return '';
  const all = names.length === 0 ? 'none' : names.slice(0, maxShown).join(', ');
  return `${JSON.stringify(owner)} does not list the argument ${unknown.join(', ')}, and may ignore it; its arguments: ${all}`;
}

/** How many names a message shows. */
const maxShown = 20;
