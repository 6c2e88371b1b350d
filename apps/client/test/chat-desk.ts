import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { tempFolder } from './temp-folder.js';

/** A folder with a config of servers, each started by its words, or at the URL that is the only one. */
export async function desk(
  servers: Readonly<Record<string, readonly string[]>>,
): Promise<{ readonly cwd: string }> {
  const cwd = await tempFolder();
  const entries = Object.entries(servers).map(([name, [first = '', ...args]]) => [
    name,
    first.startsWith('tcp:') ? { url: first } : { command: first, args },
  ]);
  await writeFile(join(cwd, 'mcp.json'), JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
  return { cwd };
}

/** An endpoint of a model. */
export interface Endpoint {
  /** The variables that lead a chat to it. */
  readonly env: Readonly<Record<string, string>>;
  /** The bodies of the requests so far. */
  readonly requests: readonly string[];
}

/** An endpoint that gives these answers in turn: the message of the model, a status, or the start of a stream that breaks off. */
export async function endpoint(...answers: readonly (object | number | string)[]): Promise<Endpoint> {
  const left = [...answers];
  const requests: string[] = [];
  const http = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      requests.push(body);
      const answer = left.shift() ?? 500;
      if (typeof answer === 'number') return void response.writeHead(answer, { 'retry-after': '0' }).end();
      if (typeof answer === 'string') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        return void response.write(answer, () => response.destroy());
      }
      const usage = { prompt_tokens: 10, completion_tokens: 5, cost: 0.5 };
      const { stream = false } = JSON.parse(body) as { stream?: boolean };
      if (!stream) {
        const choices = [{ message: { role: 'assistant', ...answer }, finish_reason: 'stop' }];
        response.writeHead(200, { 'content-type': 'application/json' });
        return void response.end(JSON.stringify({ model: 'tiny', choices, usage }));
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const choices = [{ delta: answer, finish_reason: 'stop' }];
      response.end(`data: ${JSON.stringify({ model: 'tiny', choices, usage })}\n\ndata: [DONE]\n\n`);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  return { env: { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_MODEL: 'tiny' }, requests };
}

/** The message of a model that uses a tool. */
export function uses(name: string, input = '{}'): object {
  return { tool_calls: [{ index: 0, id: 'one', function: { name, arguments: input } }] };
}
