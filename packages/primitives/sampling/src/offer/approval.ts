import { type Context, RxmcpError } from '@rxmcp/core';
import { validateParams, validateResult } from '../messages/validate.js';
import type { CreateMessageParams, CreateMessageResult } from '../messages/types.js';

/** A request to approve before it reaches the model. */
export interface RequestReview {
  readonly stage: 'request';
  /** Messages, system prompt, context and all other parameters of the server. */
  readonly params: CreateMessageParams;
  /** The model for the request, if it is known. */
  readonly model: string | undefined;
  readonly ctx: Context;
}

/** A completion to approve before it reaches the server. */
export interface CompletionReview {
  readonly stage: 'completion';
  /** The request as it went to the model. */
  readonly params: CreateMessageParams;
  readonly result: CreateMessageResult;
  /** The model that wrote it. */
  readonly model: string;
  readonly ctx: Context;
}

/** A request or a completion to approve. */
export type SamplingReview = RequestReview | CompletionReview;

/** The person's decision. `edit` replaces the parameters of a request, or the result of a completion. */
export type Approval =
  | { readonly action: 'approve' }
  | { readonly action: 'edit'; readonly params: CreateMessageParams }
  | { readonly action: 'edit'; readonly result: CreateMessageResult }
  | { readonly action: 'reject'; readonly reason?: string };

/** Asks a person, once for the request and again for the completion. */
export type Approve = (review: SamplingReview) => Approval | PromiseLike<Approval>;

/** Asks for approval of a request. Throws ASK_REJECTED, and a TypeError for an invalid edit. */
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

/** Asks for approval of a completion. Throws ASK_REJECTED, and a TypeError for an invalid edit. */
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

// Any value other than an approval is a rejection: an unknown action must not let a request pass.
function rejected(approval: Approval, what: string): RxmcpError {
  const reason = 'reason' in approval ? approval.reason : undefined;
  // With a reason the rejection may be automatic, so the message does not name the user.
  const message =
    reason === undefined ? `the user rejected the ${what}` : `the ${what} was rejected: ${reason}`;
  return new RxmcpError('ASK_REJECTED', message);
}
