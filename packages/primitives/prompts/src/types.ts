import type { ContentBlock, Icon, JsonObject, Role } from '@rxmcp/core';
import { isContentBlock, RxmcpError, text } from '@rxmcp/core';
import type { OnMembersDropped, MemberChecks } from '@rxmcp/core/internal';
import {
  validateContentBlock,
  entryChecks,
  isObject,
  sanitizeContentBlock,
  quoted,
  omitInvalidMembers,
} from '@rxmcp/core/internal';

/** An argument of a prompt; its value is always a string. */
export interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** @default false */
  readonly required?: boolean;
  readonly [member: string]: unknown;
}

/** An argument as a server defines it. */
export interface PromptArgumentDefinition extends PromptArgument {
  /** The value for a missing argument; the description states it. @default none */
  readonly default?: string;
}

/** The list entry of a prompt. Unknown members are kept. */
export interface PromptInfo {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly PromptArgument[];
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
  readonly [member: string]: unknown;
}

/** One message of a prompt. */
export interface PromptMessage {
  readonly role: Role;
  readonly content: ContentBlock;
}

/**
 * The messages of a prompt.
 * @see Schema 2026-07-28 GetPromptResult
 */
export interface PromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  readonly _meta?: JsonObject;
  readonly [member: string]: unknown;
}

/** Makes a user message of a text or a content block. */
export function user(content: string | ContentBlock): PromptMessage {
  return { role: 'user', content: typeof content === 'string' ? text(content) : content };
}

/** Makes an assistant message of a text or a content block. */
export function assistant(content: string | ContentBlock): PromptMessage {
  return { role: 'assistant', content: typeof content === 'string' ? text(content) : content };
}

/** Returns the callback for omitted members of the thing with this name. */
type DroppedMembersReporter = (where: string) => OnMembersDropped;

/** Checks one list entry from the wire. Omits optional members of a wrong type; returns undefined for an unusable entry. */
export function promptInfoOf(entry: unknown, reporter: DroppedMembersReporter): PromptInfo | undefined {
  if (!isObject(entry) || typeof entry['name'] !== 'string') return undefined;
  return omitInvalidMembers(entry, optional, reporter(entry['name'])) as unknown as PromptInfo;
}

/** Checks a result from the wire. Omits invalid annotations and sizes. Throws INVALID_RESULT. */
export function promptResultOf(
  name: string,
  result: JsonObject,
  reporter: DroppedMembersReporter,
): PromptResult {
  const { messages, description } = result;
  if (!Array.isArray(messages)) throw invalid(name, '"messages" is no array');
  for (const [at, message] of messages.entries()) {
    if (!isMessage(message)) throw invalid(name, `"messages[${at}]" is no message`);
    const problem = validateContentBlock(message.content);
    if (problem !== undefined) throw invalid(name, `the content of "messages[${at}]" ${problem}`);
  }
  if (description !== undefined && typeof description !== 'string')
    throw invalid(name, '"description" is no string');
  const given = messages as readonly PromptMessage[];
  const kept = given.map((message) => keptMessage(message, reporter(name)));
  const same = kept.every((message, at) => message === given[at]);
  return (same ? result : { ...result, messages: kept }) as unknown as PromptResult;
}

function keptMessage(message: PromptMessage, leftOut: OnMembersDropped): PromptMessage {
  const content = sanitizeContentBlock(message.content, leftOut);
  return content === message.content ? message : { ...message, content };
}

/** Returns whether a value is a message of a prompt. */
export function isMessage(value: unknown): value is PromptMessage {
  if (!isObject(value) || !isContentBlock(value['content'])) return false;
  return value['role'] === 'user' || value['role'] === 'assistant';
}

const optional: MemberChecks = {
  ...entryChecks,
  arguments: (value) =>
    Array.isArray(value) && value.every((entry) => isObject(entry) && typeof entry['name'] === 'string'),
};

function invalid(name: string, problem: string): RxmcpError {
  return new RxmcpError('INVALID_RESULT', `prompts/get ${quoted(name)}: ${problem}`, { outcome: 'answered' });
}
