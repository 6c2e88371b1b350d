import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '@rxmcp/core';
import { onTestFinished } from 'vitest';

/** A request that a stand-in received. */
export interface Heard {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: JsonObject;
}

/** A stand-in for a chat endpoint, until the test has finished: keeps what it receives and answers what the test sets. */
export async function endpoint(
  status: number,
  answer: unknown,
): Promise<{ baseUrl: string; heard: Heard[]; close: () => void }> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { authorization } = request.headers;
      heard.push({ path: request.url, authorization, body: JSON.parse(body) as JsonObject });
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, heard, close };
}

/** The answer of a chat endpoint that holds a text. */
export const said = (content: string, more: JsonObject = {}): JsonObject => ({
  model: 'tiny-2',
  choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop', ...more }],
});
