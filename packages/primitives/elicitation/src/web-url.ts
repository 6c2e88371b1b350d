import type { ElicitWarning, ElicitUrlRequest } from './types.js';

/** Parses a URL as a browser does. Returns the problem for one that is not `http:` or `https:`. */
export function parseWebUrl(url: unknown): URL | string {
  if (typeof url !== 'string' && !(url instanceof URL)) return 'must be a URL';
  const text = String(url);
  if (!URL.canParse(text)) return 'is not a valid URL';
  const read = new URL(text);
  // Other schemes do not open a page: they could run code, or open a file or a program.
  return read.protocol === 'https:' || read.protocol === 'http:' ? read : 'must begin with https:';
}

/**
 * Returns what to show a person before they agree to open a URL, such as one of an error. Undefined for a URL that is not `http:`
 * or `https:` and must not be opened. It fetches nothing.
 */
export function describeUrl(url: string): Pick<ElicitUrlRequest, 'url' | 'host' | 'warnings'> | undefined {
  const page = parseWebUrl(url);
  if (typeof page === 'string') return undefined;
  return { url: page.href, host: page.host, warnings: urlWarnings(page) };
}

/** Returns warnings about a URL, judged by its text alone. */
function urlWarnings(url: URL): readonly ElicitWarning[] {
  const warnings: ElicitWarning[] = [];
  if (url.protocol !== 'https:' && !isLoopback(url.hostname)) {
    warnings.push({ code: 'NOT_HTTPS', message: 'not https: others on the network can read and change it' });
  }
  if (url.hostname.split('.').some((label) => label.startsWith('xn--'))) {
    warnings.push({
      code: 'PUNYCODE',
      message: `its host is "${url.hostname}", even if it looks like another one`,
    });
  }
  if (url.username !== '' || url.password !== '') {
    warnings.push({
      code: 'CREDENTIALS',
      message: `the part before the @ is a user name; the host is "${url.host}"`,
    });
  }
  return warnings;
}

function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.[\d.]+$/.test(host)
  );
}
