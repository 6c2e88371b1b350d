/** What a server asks for in `WWW-Authenticate`. RFC 9110 section 11.6.1, RFC 6750 section 3, RFC 9728 section 5.1. */
export interface Challenge {
  readonly resourceMetadata?: string | undefined;
  readonly scope?: string | undefined;
  readonly error?: string | undefined;
}

const maxLength = 16_384;
/** A scheme, a parameter, or a comma, with the space before it. */
const part =
  /[\s,]*(?:([!#$%&'*+.^_`|~\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*))|([!#$%&'*+.^_`|~\w-]+)(?=\s|,|$))/y;

/** Reads the parameters of the first challenge of the schemes Bearer and DPoP. What cannot be read ends the list. */
export function parseChallenge(header: string | null): Challenge {
  const text = (header ?? '').slice(0, maxLength);
  const found = new Map<string, string>();
  let scheme = '';
  part.lastIndex = 0;
  for (let match = part.exec(text); match !== null; match = part.exec(text)) {
    const [, name, quoted, token, word] = match;
    if (word !== undefined) scheme = word.toLowerCase();
    else if (scheme === 'bearer' || scheme === 'dpop') {
      const key = (name as string).toLowerCase();
      if (!found.has(key)) found.set(key, quoted?.replace(/\\(.)/g, '$1') ?? token ?? '');
    }
  }
  return {
    resourceMetadata: found.get('resource_metadata'),
    scope: found.get('scope')?.trim() || undefined,
    error: found.get('error'),
  };
}
