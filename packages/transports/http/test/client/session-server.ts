import { json, resultOf, type Script, type Scripted, scripted } from './scripted.js';

/** A server with one legacy session, until it forgets it; `script` does the rest. */
export async function sessionServer(script: Script): Promise<Scripted & { forget(): void }> {
  let forgot = false;
  const server = await scripted((seen, response) => {
    if (forgot) json(response, { jsonrpc: '2.0', error: { code: -32_001, message: 'gone' }, id: null }, 404);
    else if (seen.message['method'] === 'initialize')
      json(response, resultOf(seen), 200, { 'mcp-session-id': 's-1' });
    else if (seen.method === 'DELETE' || (seen.method === 'POST' && !('id' in seen.message)))
      response.writeHead(202).end();
    else script(seen, response);
  });
  return { ...server, forget: () => (forgot = true) };
}
