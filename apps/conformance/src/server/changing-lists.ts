import { type Observable, BehaviorSubject, map } from 'rxjs';
import { type Prompt, prompt } from 'rxmcp/prompts';
import { type Tool, text, tool } from 'rxmcp/tools';

/** The entries that never change. */
export interface Lists {
  readonly tools: readonly Tool[];
  readonly prompts: readonly Prompt[];
}

/** The lists as they are now, with one entry more after every other call of a tool that changes them. */
export function changingLists({ tools, prompts }: Lists): {
  readonly tools$: Observable<readonly Tool[]>;
  readonly prompts$: Observable<readonly Prompt[]>;
} {
  const extraTool$ = new BehaviorSubject(false);
  const extraPrompt$ = new BehaviorSubject(false);
  const triggers = [
    toggling('test_trigger_tool_change', 'Changes the list of tools.', extraTool$),
    toggling('test_trigger_prompt_change', 'Changes the list of prompts.', extraPrompt$),
  ];
  return {
    tools$: extraTool$.pipe(map((extra) => [...tools, ...triggers, ...(extra ? [extraTool] : [])])),
    prompts$: extraPrompt$.pipe(map((extra) => [...prompts, ...(extra ? [extraPrompt] : [])])),
  };
}

function toggling(name: string, description: string, shown$: BehaviorSubject<boolean>): Tool {
  return tool(name, { description }, () => {
    shown$.next(!shown$.value);
    return text('The list has changed.');
  });
}

const extraTool = tool('test_extra_tool', { description: 'Comes and goes.' }, () => text('still here'));
const extraPrompt = prompt('test_extra_prompt', { description: 'Comes and goes.' }, () => 'still here');
