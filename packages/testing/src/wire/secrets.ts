/** Whatever stands before or after, as in `userPassword` or `secretValue`. */
const anywhere = /(passwords?|passwd|pwd|passphrases?|passcodes?|secrets?|credentials?|cookies?|jwts?)\b/;
/** At the end only: an `authorization_endpoint` and a `tokenType` may be known. */
const atEnd =
  /(tokens?|authorization|bearer|(api|access|secret|private|auth|signing|encryption|session) ?keys?|session ?ids?)$/;

/** Whether a value is secret for its name. */
export function namesSecret(name: string, value: unknown): boolean {
  // That there is one may be known, and how many tokens there are.
  if (value === null || typeof value === 'boolean') return false;
  const words = wordsOf(name);
  if (/tokens?$/.test(words) && (typeof value === 'number' || /progress ?token$/.test(words))) return false;
  return anywhere.test(words) || atEnd.test(words);
}

/** Whether an address holds who calls, or something secret in its query or its fragment. */
export function isTellingAddress(text: string): boolean {
  if (/^[a-z][a-z\d+.-]*:\/\/[^/?#]*@/i.test(text)) return true;
  const isSecret = ([name, value]: [string, string]): boolean =>
    value !== '' && (namesSecret(name, value) || /\b(sig|signature)$|^key$/.test(wordsOf(name)));
  return text
    .split(/[?#]/)
    .slice(1)
    .some((part) => [...new URLSearchParams(part)].some(isSecret));
}

/** Its words however it is spelt: `OPENAI_API_KEY`, `x-api-key`, `authToken`. */
function wordsOf(name: string): string {
  return name
    .replace(/([a-z])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim();
}
