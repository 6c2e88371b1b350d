import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Health } from 'rxmcp';

/** Where whoever balances load or restarts processes asks. */
export const healthPath = '/health';

/**
 * Answers a request for the health of the server: 200 while it can serve, else 503 with the reason. Anybody may ask, since it says nothing
 * of what is served and to whom. False = the request is somebody else's.
 */
export function answerHealth(
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
  healthy: () => Health,
): boolean {
  if (url.split('?', 1)[0] !== healthPath) return false;
  if (method !== 'GET' && method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD', 'content-length': 0 }).end();
    return true;
  }
  const health = healthy();
  const body = JSON.stringify(health);
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  };
  response.writeHead(health.healthy ? 200 : 503, headers).end(method === 'HEAD' ? undefined : body);
  return true;
}
