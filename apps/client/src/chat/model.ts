import type { CompletionOptions, CreateMessageParams, CreateMessageResult } from 'rxmcp/sampling';

/** A model that answers questions, and the requests of servers. */
export interface ChatModel {
  (params: CreateMessageParams, options?: CompletionOptions): Promise<CreateMessageResult>;
  readonly modelName: string;
}
