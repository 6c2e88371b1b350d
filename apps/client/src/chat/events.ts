import type { ContentBlock, JsonObject, LogLevel } from 'rxmcp';

/** What happens while a question is answered. With `--json` each is one line of standard output. */
export type ChatEvent =
  | { readonly type: 'question'; readonly text: string }
  /** A message of the prompt that was run, which the model gets as a turn. */
  | {
      readonly type: 'prompt';
      readonly server: string;
      readonly prompt: string;
      readonly turn: number;
      readonly turns: number;
      readonly role: 'user' | 'assistant';
      readonly content: ContentBlock;
    }
  /** A resource that the model gets with the question: named in it, or chosen by the rules of `--auto`. */
  | {
      readonly type: 'context';
      readonly server: string;
      readonly uri: string;
      readonly by: 'question' | 'auto';
      readonly tokens: number;
    }
  /** A piece of the model's text, while it arrives. */
  | { readonly type: 'text'; readonly text: string }
  /** The endpoint asks to wait before the request is repeated. */
  | { readonly type: 'wait'; readonly waitMs: number; readonly reason: string }
  /** One completion of the model is complete. Usage is there if the endpoint reports it. */
  | {
      readonly type: 'step';
      readonly step: number;
      readonly model: string;
      readonly inputTokens?: number;
      readonly outputTokens?: number;
      readonly cost?: number;
    }
  | {
      readonly type: 'tool_call';
      readonly id: string;
      readonly server: string;
      readonly tool: string;
      readonly arguments: JsonObject;
    }
  | { readonly type: 'approval'; readonly id: string; readonly approved: boolean; readonly by: ApprovedBy }
  | {
      readonly type: 'progress';
      readonly id: string;
      readonly progress: number;
      readonly total?: number;
      readonly message?: string;
    }
  | {
      readonly type: 'log';
      readonly id: string;
      readonly level: LogLevel;
      readonly data: unknown;
      readonly logger?: string;
    }
  | {
      readonly type: 'tool_result';
      readonly id: string;
      readonly isError: boolean;
      readonly content: readonly ContentBlock[];
    }
  /** The sum of all steps of the question. */
  | {
      readonly type: 'usage';
      readonly steps: number;
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly cost?: number;
    }
  | { readonly type: 'error'; readonly message: string }
  | { readonly type: 'cancelled' }
  /** `stopReason` is `maxTokens` where the answer is cut, as the model reached its limit of tokens. */
  | { readonly type: 'answer'; readonly text: string; readonly stopReason?: 'maxTokens' };

/** Who decided about a call: the person, an earlier decision of theirs, the option `--approve`, or its default without a person. */
export type ApprovedBy = 'user' | 'remembered' | 'option' | 'default';
