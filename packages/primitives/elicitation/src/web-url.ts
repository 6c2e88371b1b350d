import type { ElicitWarning, ElicitUrlRequest } from './types.js';

/** A url that a person can open, as a browser reads it; or what is wrong with it. */
export function parseWebUrl(url: unknown): URL | string {
  if (typeof url !== 'string' && !(url instanceof URL)) return 'must be a url';
  const text = String(url);
  if (!URL.canParse(text)) return 'is no valid url';
  const read = new URL(text);
  // Anything else would not lead to a page: it would run, or open a file or a program.
  return read.protocol === 'https:' || read.protocol === 'http:' ? read : 'must begin with https:';
}

/**
 * What to show of a url before a person agrees to open it, such as one that an error names; undefined for what is no url of
 * the web and must not be opened. It fetches nothing.
 */
export function describeUrl(url: string): Pick<ElicitUrlRequest, 'url' | 'host' | 'warnings'> | undefined {
  const page = parseWebUrl(url);
  if (typeof page === 'string') return undefined;
  return { url: page.href, host: page.host, warnings: urlWarnings(page) };
}

/** What a person should know of a url before they agree to open it. Looks at its text only. */
function urlWarnings(url: URL): readonly ElicitWarning[] {
  const warnings: ElicitWarning[] = [];
  if (url.protocol !== 'https:' && !isLoopback(url.hostname)) {
    warnings.push({ code: 'NOT_HTTPS', message: 'not https: others on the way can read and change it' });
  }
  if (url.hostname.split('.').some((label) => label.startsWith('xn--'))) {
    warnings.push({ code: 'PUNYCODE', message: `its host is "${url.hostname}", whatever it may look like` });
  }
  if (url.username !== '' || url.password !== '') {
    warnings.push({
      code: 'CREDENTIALS',
      message: `what stands before the @ is a user name; it leads to "${url.host}"`,
    });
  }
  return warnings;
}

function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.[\d.]+$/.test(host)
  );
}
