import type { MessageHeaders } from '@rxmcp/transport';

const plain = /^[\x20-\x7e]*$/;
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const parameter = 'param.';

/**
 * The headers that repeat what the body says. MCP 2026-07-28, basic, transports, streamable-http, request metadata.
 * A value that HTTP cannot carry as it is travels as Base64 of its UTF-8, between `=?base64?` and `?=`.
 */
export function encodeMessageHeaders(messageHeaders: MessageHeaders): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [key, value] of Object.entries(messageHeaders)) {
    if (key === 'method') headers['mcp-method'] = headerValue(value);
    else if (key === 'name') headers['mcp-name'] = headerValue(value);
    else if (key.startsWith(parameter)) {
      const name = key.slice(parameter.length);
      if (token.test(name)) headers[`mcp-param-${name}`] = headerValue(value);
    }
  }
  return headers;
}

/** A text as a header can carry it. */
export function headerValue(text: string): string {
  const looksEncoded = text.startsWith('=?base64?') && text.endsWith('?=');
  if (plain.test(text) && text === text.trim() && !looksEncoded) return text;
  return `=?base64?${base64(new TextEncoder().encode(text))}?=`;
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
