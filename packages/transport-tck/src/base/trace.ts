import { EncodedMessage, type JsonRpcMessage } from '@rxmcp/jsonrpc';
import { type OutgoingMessage, TransportError } from '@rxmcp/transport';
import { brief } from './assert.js';

const kept = 12;

interface Entry {
  readonly key: string;
  readonly first: () => string;
  last: () => string;
  times: number;
}

/** On which side a frame was seen. */
export type Side = 'dialled' | 'served';

/** The last frames and events on the connections of one rule. */
export class Trace {
  readonly #entries: Entry[] = [];
  /** What the kit waited for when the transport rejected. */
  waitedFor: string | undefined;
  readonly #rejected: Record<Side, { times: number; last?: unknown }> = {
    dialled: { times: 0 },
    served: { times: 0 },
  };

  sent(side: Side, out: OutgoingMessage): void {
    const key = out instanceof EncodedMessage ? 'encoded' : kind(out);
    this.#add(side, `->${key}`, () => `-> ${brief(out instanceof EncodedMessage ? out.text : text(out))}`);
  }

  received(side: Side, incoming: unknown): void {
    this.#add(side, `<-${kind(incoming)}`, () => `<- ${brief(text(incoming))}`);
  }

  /** A send that rejected. Rejections are counted in a separate line: many at once would displace the last frames. */
  rejected(side: Side, error: unknown): void {
    const { times } = this.#rejected[side];
    this.#rejected[side] = { times: times + 1, last: error };
  }

  /** An event that is not a message: a fault, the end of a lane, the end of the connection. */
  event(side: Side, name: string, error?: unknown): void {
    this.#add(side, name, () => `<- ${name}(${error === undefined ? '' : brief(errorText(error))})`);
  }

  /** The last frames, oldest first, and the sends that rejected. */
  text(): string {
    if (this.#entries.length === 0) return '  no frame was seen';
    const frames = this.#entries.flatMap(shown).map((line) => `    ${line}`);
    return ['  last frames:', ...frames, ...this.#rejections('dialled'), ...this.#rejections('served')].join(
      '\n',
    );
  }

  #rejections(side: Side): string[] {
    const { times, last } = this.#rejected[side];
    if (times === 0) return [];
    const where = side === 'served' ? '(served) ' : '';
    return [`  ${where}rejected sends: ${String(times)}, the last with ${brief(errorText(last))}`];
  }

  /** Adds a line, or counts it where it is of the same kind as the line before it. */
  #add(side: Side, kind: string, line: () => string): void {
    const own = side === 'served' ? () => `(served) ${line()}` : line;
    const key = `${side} ${kind}`;
    const before = this.#entries.at(-1);
    if (before?.key === key) {
      before.last = own;
      before.times += 1;
      return;
    }
    this.#entries.push({ key, first: own, last: own, times: 1 });
    if (this.#entries.length > kept) this.#entries.shift();
  }
}

/** Also of what is no TransportError, such as null. */
function errorText(error: unknown): string {
  return TransportError.is(error) ? `${error.code}: ${error.message}` : String(error);
}

function shown({ first, last, times }: Entry): string[] {
  if (times === 1) return [first()];
  if (times === 2) return [first(), last()];
  return [first(), `... ${String(times - 2)} more like it`, last()];
}

/** What messages have in common that are repeats of each other. */
function kind(message: unknown): string {
  const { method, id } = (message ?? {}) as { readonly method?: unknown; readonly id?: unknown };
  return method === undefined ? `response ${typeof id}` : String(method);
}

function text(value: unknown): string {
  try {
    return JSON.stringify(value as JsonRpcMessage);
  } catch (error) {
    return `(unprintable: ${String(error)})`;
  }
}
