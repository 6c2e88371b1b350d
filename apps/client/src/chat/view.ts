import type { ContentBlock } from 'rxmcp';
import { counted, inline, quoted } from '../printable.js';
import type { Terminal } from '../terminal.js';
import type { ChatEvent } from './events.js';

const maxResultChars = 400;

/** Shows the events of a question to a person, the text of the model as it arrives. Text of servers and of the model has a mark in front of each line. */
export function eventView(terminal: Terminal): (event: ChatEvent) => void {
  let hasText = false;
  const tools = new Map<string, string>();
  const endAll = (): void => [...tools.keys()].forEach((id) => terminal.endProgress(id));
  return (event) => {
    switch (event.type) {
      case 'context':
        return terminal.tell(`context: ${event.uri} of ${event.server}, about ${event.tokens} tokens`);
      case 'prompt': {
        const of = event.turns > 1 ? `step ${event.turn} of ${event.turns}` : 'step';
        return terminal.tell(`${event.prompt}, ${of}, ${event.role}: ${shortened(blockText(event.content))}`);
      }
      case 'wait':
        return terminal.tell(`waiting ${Math.ceil(event.waitMs / 1_000)} s: ${event.reason}`);
      case 'text':
        hasText = true;
        return terminal.piece(event.text);
      case 'tool_call':
        hasText = false;
        tools.set(event.id, event.tool);
        return terminal.tell(`call: ${event.tool} of ${event.server} ${spaced(event.arguments)}`);
      case 'approval':
        return event.approved ? undefined : terminal.tell('the call was not approved');
      case 'progress':
        return terminal.progress(event.id, tools.get(event.id) ?? event.id, event);
      case 'tool_result': {
        terminal.endProgress(event.id);
        const text = event.content.map(blockText).join(' ');
        return terminal.tell(`${event.isError ? 'failed' : 'result'}: ${shortened(text)}`);
      }
      case 'usage': {
        const cost = event.cost === undefined ? '' : `, cost ${event.cost}`;
        const tokens = `${event.inputTokens} + ${event.outputTokens} tokens`;
        return terminal.tell(`${counted(event.steps, 'step')}, ${tokens}${cost}`);
      }
      case 'answer':
        if (!hasText) terminal.say(quoted(event.text));
        return event.stopReason === undefined
          ? undefined
          : terminal.tell('the answer is cut: the model reached its limit of tokens. Ask for less');
      case 'error':
        endAll();
        return terminal.tell(event.message);
      case 'cancelled':
        endAll();
        return terminal.tell('the question was cancelled');
      default:
        return undefined;
    }
  };
}

function blockText(block: ContentBlock): string {
  return block.type === 'text' ? block.text : `(${block.type})`;
}

function shortened(text: string): string {
  const row = inline(text);
  return row.length > maxResultChars ? `${row.slice(0, maxResultChars)}…` : row;
}

/** JSON on one line that can be broken at spaces. */
function spaced(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');
}
