import type { JsonObject } from '@rxmcp/core';
import { isObject } from '@rxmcp/core/internal';
import { ModelError } from '../messages/model-error.js';

/** Whether a response has server-sent events. An endpoint without streaming answers JSON. */
export function isEventStream({ headers }: Response): boolean {
  return /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
}

/**
 * Reads a streamed response and returns it in the form of one that is not streamed. `onText` receives each piece of its text. Rejects
 * with ModelError MODEL_INVALID_RESPONSE for an invalid event or a reported error, and MODEL_UNREACHABLE if the stream ends too early.
 */
export async function streamedResponse(
  texts: AsyncIterable<string>,
  onText: (text: string) => void,
  shown: (said: string) => string,
): Promise<unknown> {
  const response = new StreamedResponse(onText, shown);
  for await (const line of linesOf(texts)) {
    const data = /^data: ?(.*)$/s.exec(line)?.[1];
    if (data === '[DONE]') return response.complete();
    if (data !== undefined && data !== '') response.take(data);
  }
  if (response.isFinished) return response.complete();
  throw new ModelError(
    'MODEL_UNREACHABLE',
    'the response broke off: its stream ended without a reason to finish',
  );
}

class StreamedResponse {
  isFinished = false;
  #text: string | undefined;
  readonly #calls: { id: unknown; name: string; arguments: string }[] = [];
  readonly #members: Record<string, unknown> = {};
  readonly #choice: Record<string, unknown> = {};

  constructor(
    private readonly onText: (text: string) => void,
    private readonly shown: (said: string) => string,
  ) {}

  take(data: string): void {
    const chunk = objectOf(data);
    const { error, model, usage, choices } = chunk;
    if (error !== undefined && error !== null) throw this.#reported(error);
    if (model !== undefined) this.#members.model ??= model;
    // The last chunk has it, without a choice.
    if (isObject(usage)) this.#members.usage = usage;
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
    if (!isObject(choice)) return;
    if (typeof choice.finish_reason === 'string') {
      this.isFinished = true;
      Object.assign(this.#choice, { finish_reason: choice.finish_reason, stop_reason: choice.stop_reason });
    }
    if (isObject(choice.delta)) this.#add(choice.delta);
  }

  complete(): unknown {
    const uses = this.#calls.map(({ id, name, arguments: text }) => ({
      id,
      type: 'function',
      function: { name, arguments: text },
    }));
    const message = { content: this.#text, ...(uses.length === 0 ? {} : { tool_calls: uses }) };
    return { ...this.#members, choices: [{ ...this.#choice, message }] };
  }

  #add({ content, tool_calls: calls }: JsonObject): void {
    if (typeof content === 'string') {
      this.#text = (this.#text ?? '') + content;
      if (content !== '') this.onText(content);
    }
    if (Array.isArray(calls)) for (const call of calls as unknown[]) if (isObject(call)) this.#addCall(call);
  }

  // A call comes in pieces. Small endpoints send it whole, without its index.
  #addCall({ index, id, function: part }: JsonObject): void {
    const { length } = this.#calls;
    const at = typeof index === 'number' ? index : id === undefined ? length - 1 : length;
    const known = this.#calls[at];
    const call = known ?? { id: undefined, name: '', arguments: '' };
    if (known === undefined) this.#calls.push(call);
    call.id ??= id;
    const { name, arguments: text } = isObject(part) ? part : {};
    if (typeof name === 'string' && call.name === '') call.name = name;
    if (typeof text === 'string') call.arguments += text;
    else if (isObject(text)) call.arguments = JSON.stringify(text);
  }

  #reported(error: unknown): ModelError {
    const said = isObject(error) && typeof error.message === 'string' ? `: ${this.shown(error.message)}` : '';
    return new ModelError('MODEL_INVALID_RESPONSE', `the endpoint reported an error in its response${said}`);
  }
}

function objectOf(data: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch (cause) {
    throw new ModelError('MODEL_INVALID_RESPONSE', 'an event of the response is not valid JSON', { cause });
  }
  if (isObject(value)) return value;
  throw new ModelError('MODEL_INVALID_RESPONSE', 'an event of the response is not a JSON object');
}

async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let pieces: string[] = [];
  for await (const text of texts) {
    const lines = text.split('\n');
    const last = lines.pop() as string;
    for (const line of lines) {
      yield [...pieces, line].join('').replace(/\r$/, '');
      pieces = [];
    }
    pieces.push(last);
  }
  yield pieces.join('');
}
