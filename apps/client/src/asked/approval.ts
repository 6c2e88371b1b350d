import type { Approval as Mode } from '../connection/options.js';
import type {
  Approval,
  Approve,
  CreateMessageParams,
  CreateMessageResult,
  SamplingContent,
  SamplingReview,
} from 'rxmcp/sampling';
import { inline, quoted } from '../printable.js';
import type { Terminal } from '../terminal.js';
import { nameOf } from './server-name.js';

/** Asks the person at the terminal before a request reaches the model, and again before its completion reaches the server. */
export function terminalApproval(terminal: Terminal, mode: Exclude<Mode, 'never'>): Approve {
  return (review) => {
    if (mode === 'always') {
      terminal.tell(
        `approved a ${review.stage} unseen (--approve always), model ${review.model ?? 'unknown'}`,
      );
      return { action: 'approve' };
    }
    return terminal.talk(() => asked(terminal, review));
  };
}

async function asked(terminal: Terminal, review: SamplingReview): Promise<Approval> {
  const { signal } = review.ctx;
  terminal.say(
    review.stage === 'request'
      ? shownRequest(nameOf(review.ctx), review.params, review.model)
      : shownCompletion(review.result),
  );
  for (;;) {
    const answer = await terminal.ask(`${review.stage}: approve [a], edit [e] or reject [r]? `, signal);
    if (answer === undefined) return { action: 'reject', reason: 'no answer was given' };
    switch (answer.trim().toLowerCase()) {
      case 'a':
      case 'approve':
        return { action: 'approve' };
      case 'r':
      case 'reject':
        return { action: 'reject' };
      case 'e':
      case 'edit': {
        const text = await written(terminal, signal);
        if (text === undefined) return { action: 'reject', reason: 'no answer was given' };
        return edited(review, text);
      }
      default:
        terminal.say('Please answer a, e or r.');
    }
  }
}

async function written(terminal: Terminal, signal: AbortSignal): Promise<string | undefined> {
  terminal.say('Write the new text; a line with only a dot ends it.');
  const lines: string[] = [];
  for (;;) {
    const line = await terminal.line('> ', signal);
    if (line === undefined) return undefined;
    if (line === '.') return lines.join('\n');
    lines.push(line);
  }
}

function edited(review: SamplingReview, text: string): Approval {
  const content = { type: 'text', text } as const;
  if (review.stage === 'completion') {
    // A text is the end of a turn, whatever it stands for.
    return { action: 'edit', result: { ...review.result, content, stopReason: 'endTurn' } };
  }
  const { messages } = review.params;
  const last = messages.findLastIndex((one) => one.role === 'user' && !isToolTurn(one.content));
  const message = { role: 'user', content } as const;
  const replaced = last === -1 ? [...messages, message] : messages.with(last, message);
  return { action: 'edit', params: { ...review.params, messages: replaced } };
}

function shownRequest(server: string, params: CreateMessageParams, model: string | undefined): string {
  const { systemPrompt, includeContext, messages, maxTokens, tools = [], toolChoice } = params;
  const choice = toolChoice?.mode === undefined ? '' : ` (${toolChoice.mode})`;
  return [
    `--- ${server} asks your model:`,
    `model: ${inline(model ?? 'unknown')}, at most ${maxTokens} tokens`,
    ...(systemPrompt === undefined ? [] : ['system prompt:', quoted(systemPrompt)]),
    ...(includeContext === undefined ? [] : [`context: ${includeContext}`]),
    ...tools.flatMap(({ name, description }) => [
      `tool${choice}: ${inline(name)}`,
      ...(description === undefined ? [] : [quoted(description)]),
    ]),
    ...messages.flatMap(({ role, content }) => [`${role}:`, quoted(shownContent(content))]),
    '---',
  ].join('\n');
}

function shownCompletion({ model, content }: CreateMessageResult): string {
  const header = `--- The answer of ${inline(model)}, before the server gets it:`;
  return [header, quoted(shownContent(content)), '---'].join('\n');
}

function isToolTurn(content: CreateMessageResult['content']): boolean {
  const blocks: readonly SamplingContent[] = Array.isArray(content) ? content : [content];
  return blocks.some(({ type }) => type === 'tool_result');
}

function shownContent(content: SamplingContent | readonly SamplingContent[]): string {
  const blocks: readonly SamplingContent[] = Array.isArray(content) ? content : [content];
  return blocks.map((block) => (block.type === 'text' ? block.text : `(${sized(block)})`)).join('\n');
}

function sized(block: SamplingContent): string {
  return 'data' in block ? `${block.type}, ${block.data.length} characters of base64` : JSON.stringify(block);
}
