import { readFileSync } from 'node:fs';
import type { SamplingMessage } from 'rxmcp/sampling';
import { UsageError } from '@rxmcp/app-serving/usage-error';
import { writeAtomically } from './approvals.js';

/** The version of the file. */
const version = 1;

/** The turns so far. Each use of a tool in it has its result, so that a model accepts it at any time. */
export class Conversation {
  #turns: readonly SamplingMessage[];

  /** @param file - where it is kept; undefined = nowhere. Throws a UsageError for a file that is not a conversation. */
  constructor(private readonly file: string | undefined) {
    this.#turns = file === undefined ? [] : read(file);
  }

  get messages(): readonly SamplingMessage[] {
    return this.#turns;
  }

  /** Adds turns, and replaces the file. */
  add(...turns: readonly SamplingMessage[]): void {
    this.#turns = [...this.#turns, ...turns];
    if (this.file !== undefined)
      writeAtomically(this.file, JSON.stringify({ version, messages: this.#turns }));
  }
}

function read(file: string): readonly SamplingMessage[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new UsageError(`the conversation ${file} cannot be read: ${code}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(
      `the conversation ${file} is not valid JSON: ${(error as Error).message}. Pass another file`,
    );
  }
  const { version: found, messages } = (value ?? {}) as { version?: unknown; messages?: unknown };
  if (found !== version)
    throw new UsageError(
      `the conversation ${file} has the version ${JSON.stringify(found)}, not ${version}. Pass another file`,
    );
  if (!Array.isArray(messages))
    throw new UsageError(`the conversation ${file} has no "messages". Pass another file`);
  return messages as readonly SamplingMessage[];
}
