import { defineClient } from 'rxmcp';
import { http } from 'rxmcp/http';
import { serveHttp } from 'rxmcp/http/node';
import { bearer } from 'rxmcp/transport/guard';
import { webSocket } from 'rxmcp/websocket';
import { serveWebSocket } from 'rxmcp/websocket/node';

const ways = {
  http: { serve: serveHttp, to: http },
  ws: { serve: serveWebSocket, to: webSocket },
};

/** The transports that each test runs over; `OVER=ws npm test` picks one. */
export const transports = process.env.OVER?.split(',') ?? Object.keys(ways);

/** Serves, connects as one of the principals `clerk` and `guest`, and ends both after the test. */
export async function connected(t, over, server, principal = 'clerk') {
  const { serve, to } = ways[over];
  const authenticate = bearer({ clerk: 'clerks-token', guest: 'guests-token' });
  const serving = await serve(server, { port: 0, authenticate });
  t.after(() => serving.close());
  const headers = { authorization: `Bearer ${principal}s-token` };
  const client = defineClient({ info: { name: 'test', version: '1.0.0' } });
  const remote = await client.connect(to(serving.url, { headers }));
  t.after(() => remote.close());
  return remote;
}
