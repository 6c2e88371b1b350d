import type { Context } from '@rxmcp/core';
import { RxmcpError } from '@rxmcp/core';
import { validateParams, validateResult } from './validate.js';
import type { CreateMessageParams, CreateMessageResult } from './types.js';

/** What a person is shown before a request reaches the model. */
export interface RequestReview {
  readonly stage: 'request';
  /** Messages, system prompt, wanted context and everything else that the server sent. */
  readonly params: CreateMessageParams;
  /** The model it would go to, where that is known. */
  readonly model: string | undefined;
  readonly ctx: Context;
}

/** What a person is shown before a completion reaches the server. */
export interface CompletionReview {
  readonly stage: 'completion';
  /** The request as it went to the model. */
  readonly params: CreateMessageParams;
  readonly result: CreateMessageResult;
  /** The model that wrote it. */
  readonly model: string;
  readonly ctx: Context;
}

/** One of the two things to approve. */
export type SamplingReview = RequestReview | CompletionReview;

/** What the person said. `edit` replaces the parameters of a request, or the result of a completion. */
export type Approval =
  | { readonly action: 'approve' }
  | { readonly action: 'edit'; readonly params: CreateMessageParams }
  | { readonly action: 'edit'; readonly result: CreateMessageResult }
  | { readonly action: 'reject'; readonly reason?: string };

/** Asks a person, once for the request and again for the completion. */
export type Approve = (review: SamplingReview) => Approval | PromiseLike<Approval>;

/** Brings a request past the person. Throws ASK_REJECTED; TypeError when the edit is wrong. */
export async function approvedParams(approve: Approve, review: RequestReview): Promise<CreateMessageParams> {
  const approval = await approve(review);
  if (approval.action === 'approve') return review.params;
  if (approval.action !== 'edit') throw rejected(approval, 'request');
  const params = 'params' in approval ? approval.params : undefined;
  const problem = params === undefined ? 'a request is edited by "params"' : validateParams(params);
  if (params === undefined || problem !== undefined) throw new TypeError(`the edited request: ${problem}`);
  if (params.maxTokens > review.params.maxTokens)
    throw new TypeError('the edited request: "maxTokens" must not exceed what the server asked for');
  return params;
}

/** Brings a completion past the person. Throws ASK_REJECTED; TypeError when the edit is wrong. */
export async function approvedResult(
  approve: Approve,
  review: CompletionReview,
): Promise<CreateMessageResult> {
  const approval = await approve(review);
  if (approval.action === 'approve') return review.result;
  if (approval.action !== 'edit') throw rejected(approval, 'completion');
  const result = 'result' in approval ? approval.result : undefined;
  const problem =
    result === undefined ? 'a completion is edited by "result"' : validateResult(result, review.params);
  if (result === undefined || problem !== undefined) throw new TypeError(`the edited completion: ${problem}`);
  return result;
}

// Anything that is no approval is a refusal: an unknown word must not let a request through.
function rejected(approval: Approval, what: string): RxmcpError {
  const reason = 'reason' in approval ? approval.reason : undefined;
  // With a reason the rejection may be automatic, so the message does not name the user.
  const message =
    reason === undefined ? `the user rejected the ${what}` : `the ${what} was rejected: ${reason}`;
  return new RxmcpError('ASK_REJECTED', message);
}
