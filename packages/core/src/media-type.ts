/** Whether a text is a media type such as `text/plain; charset=utf-8` (RFC 9110 section 8.3.1). */
export function isMediaType(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 1_024 && syntax.test(value);
}

const token = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const syntax = new RegExp(`^${token}/${token}(?:[ \\t]*;[ \\t]*${token}=(?:${token}|"[^"\\\\\\r\\n]*"))*$`);
