import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Options of {@link serveStandIn}. */
export interface StandInOptions {
  /** 0 = a free one. @default 0 */
  readonly port?: number;
  /** Requests without this bearer token are rejected with 401. @default any or none will do */
  readonly apiKey?: string;
}

/** A chat endpoint that runs. */
export interface StandIn {
  /** For `OPENAI_BASE_URL`. */
  readonly url: string;
  close(): Promise<void>;
}

const maxBytes = 4_194_304;

/**
 * Stands in for an OpenAI-compatible chat endpoint, on 127.0.0.1: it has no model, but speaks the same HTTP, and answers
 * with what it was sent. Given tools, it uses the first one, once.
 */
export async function serveStandIn({ port = 0, apiKey }: StandInOptions = {}): Promise<StandIn> {
  const server = createServer((request, response) => {
    answer(request, apiKey).then(
      (completion) => reply(response, 200, completion),
      (error: unknown) => {
        const { status = 400, message } = error as Partial<Rejection> & Error;
        reply(response, status, { error: { message, type: 'invalid_request_error' } });
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

class Rejection extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

async function answer(request: IncomingMessage, apiKey: string | undefined): Promise<object> {
  if (request.url !== '/v1/chat/completions') throw new Rejection(404, `there is no ${request.url ?? ''}`);
  if (request.method !== 'POST') throw new Rejection(405, 'only POST is answered');
  if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`) {
    throw new Rejection(401, 'the key is wrong');
  }
  const { model, messages, tool } = asked(await bodyOf(request));
  const call = { id: 'call_1', type: 'function', function: { name: tool, arguments: '{}' } };
  const used = tool === undefined ? {} : { tool_calls: [call] };
  const content = `stand-in for ${model}: ${messages.length} messages, the last: ${said(messages.at(-1))}`;
  return {
    id: 'chatcmpl-stand-in',
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1_000),
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, ...used },
        finish_reason: tool === undefined ? 'stop' : 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Rejection(413, `more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new Rejection(400, 'the body is no JSON');
  }
}

// It uses the first tool that it is given, once.
function asked(body: unknown): {
  readonly model: string;
  readonly messages: readonly unknown[];
  readonly tool: string | undefined;
} {
  const { model, messages, tools, tool_choice } = (body ?? {}) as Record<string, unknown>;
  if (typeof model !== 'string' || model === '') throw new Rejection(400, '"model" must be a string');
  if (!Array.isArray(messages) || messages.length === 0)
    throw new Rejection(400, '"messages" must not be empty');
  const [first] =
    Array.isArray(tools) && tool_choice !== 'none' ? (tools as { function?: { name?: string } }[]) : [];
  const isAnswered = messages.some((message) => (message as { role?: unknown } | null)?.role === 'tool');
  return { model, messages, tool: isAnswered ? undefined : first?.function?.name };
}

function said(message: unknown): string {
  const { content } = (message ?? {}) as { content?: unknown };
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return text.trim().replace(/\s+/g, ' ').slice(0, 200);
}

function reply(response: ServerResponse, status: number, value: object): void {
  const text = JSON.stringify(value);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
