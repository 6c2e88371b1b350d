/** Returns whether a body is JSON in UTF-8, by its `Content-Type`. */
export function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  if (contentType === undefined) return false;
  const [type, ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  if (type !== 'application/json') return false;
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  return charset === undefined || /^charset="?(utf-8|utf8|us-ascii)"?$/.test(charset);
}

/** Returns whether a body is not compressed, by its `Content-Encoding`. */
export function isPlain(contentEncoding: string | undefined): boolean {
  return contentEncoding === undefined || /^\s*(identity)?\s*$/i.test(contentEncoding);
}

const usual = 'application/json, text/event-stream';

/** Returns whether an `Accept` header allows both types of response to a POST. An absent header does not. */
export function takesBoth(accept: string | undefined): boolean {
  return accept === usual || (takes(accept, 'application', 'json') && takesEvents(accept));
}

/** Returns whether an `Accept` header allows an event stream. */
export function takesEvents(accept: string | undefined): boolean {
  return takes(accept, 'text', 'event-stream');
}

function takes(accept: string | undefined, type: string, subtype: string): boolean {
  if (accept === undefined) return false;
  let best = 0;
  let allowed = false;
  for (const range of accept.toLowerCase().split(',')) {
    const [name, ...parameters] = range.split(';').map((part) => part.trim());
    const closeness = name === `${type}/${subtype}` ? 3 : name === `${type}/*` ? 2 : name === '*/*' ? 1 : 0;
    if (closeness <= best) continue;
    best = closeness;
    // The most specific range decides; a weight of 0 means not accepted.
    allowed = !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  }
  return allowed;
}
