import { inline, quoted } from '../printable.js';
import type { Terminal } from '../terminal.js';
import type { ChatEvent } from './events.js';

const maxResultChars = 400;

/** Shows an event to a person, apart from the answer. Text of servers and of the model has a mark in front of each line. */
export function showEvent(event: ChatEvent, terminal: Terminal): void {
  switch (event.type) {
    case 'context':
      return terminal.tell(`context: ${event.uri} of ${event.server}, about ${event.tokens} tokens`);
    case 'wait':
      return terminal.tell(`waiting ${Math.ceil(event.waitMs / 1_000)} s: ${event.reason}`);
    case 'tool_call':
      return terminal.tell(`call: ${event.tool} of ${event.server} ${JSON.stringify(event.arguments)}`);
    case 'approval':
      return event.approved ? undefined : terminal.tell('the call was not approved');
    case 'progress': {
      const { progress, total, message } = event;
      const done = total === undefined ? `${progress}` : `${progress} of ${total}`;
      return terminal.tell(`progress: ${done}${message === undefined ? '' : `, ${message}`}`);
    }
    case 'tool_result': {
      const texts = event.content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`));
      const text = inline(texts.join(' '));
      const shown = text.length > maxResultChars ? `${text.slice(0, maxResultChars)}…` : text;
      return terminal.tell(`${event.isError ? 'failed' : 'result'}: ${shown}`);
    }
    case 'usage': {
      const cost = event.cost === undefined ? '' : `, cost ${event.cost}`;
      const tokens = `${event.inputTokens} + ${event.outputTokens} tokens`;
      return terminal.tell(`${event.steps} steps, ${tokens}${cost}`);
    }
    case 'answer':
      return terminal.say(quoted(event.text));
    case 'error':
      return terminal.tell(event.message);
    case 'cancelled':
      return terminal.tell('the question was cancelled');
    default:
      return undefined;
  }
}
