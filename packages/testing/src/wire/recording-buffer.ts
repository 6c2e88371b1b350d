import { isTimeVirtual } from '../time/virtual-time.js';
import { rejectUnknownOptions } from '@rxmcp/core/internal';
import type { Frame, Recording } from './recording.js';

/** Options of {@link record}. */
export interface RecordOptions {
  /** Most frames of a recording; later ones are only counted. @default 10_000 */
  readonly maxFrames?: number;
  /** Most characters of all messages. @default 8_388_608 */
  readonly maxMessageChars?: number;
  /**
   * Names of additional members with secret values. Values of names with words such as `password`, `secret`, `cookie`,
   * `credentials`, `token`, `api key` and `session id` are always redacted, in any spelling, and so are texts that are JSON or a URL
   * with such a name in it. Other text is kept. @default none
   */
  readonly redact?: readonly (string | RegExp)[];
}

const knownOptions: Record<keyof RecordOptions, true> = {
  maxFrames: true,
  maxMessageChars: true,
  redact: true,
};

/** Each kind of frame without what the tape adds. */
type UntimedFrame = Frame extends infer One ? (One extends Frame ? Omit<One, 'at'> : never) : never;

/** Keeps frames with their times, up to its limits. Beyond them the end is dropped, so that the beginning can be replayed. */
export class RecordingBuffer {
  readonly #frames: Frame[] = [];
  readonly #clean: <T>(message: T) => T;
  readonly #maxFrames: number;
  #room: number;
  #lost = 0;
  #beganAt: number | undefined;
  #connections = 0;
  #time: Recording['time'] = 'real';

  constructor(options: RecordOptions) {
    rejectUnknownOptions('record', options, knownOptions, { maxChars: 'maxMessageChars' });
    const { maxFrames = 10_000, maxMessageChars = 8 * 1024 * 1024, redact = [] } = options;
    this.#maxFrames = maxFrames;
    this.#room = maxMessageChars;
    this.#clean = redactor(redact);
  }

  /** The number of a new connection. */
  next(): number {
    return (this.#connections += 1);
  }

  take(taken: UntimedFrame): void {
    // A copy, since who is given a message may change it.
    const text = taken.type === 'message' ? JSON.stringify(taken.message) : '';
    // After a dropped frame all later ones are dropped: a recording with a gap cannot be replayed.
    if (this.#lost > 0 || this.#frames.length >= this.#maxFrames || text.length > this.#room) {
      this.#lost += 1;
      return;
    }
    this.#room -= text.length;
    if (this.#beganAt === undefined) {
      this.#beganAt = performance.now();
      this.#time = isTimeVirtual() ? 'virtual' : 'real';
    }
    const at = Math.round((performance.now() - this.#beganAt) * 1_000) / 1_000;
    const kept =
      taken.type === 'message' ? { ...taken, message: this.#clean(JSON.parse(text) as unknown) } : taken;
    this.#frames.push({ at, ...kept } as Frame);
  }

  recording(): Recording {
    return { frames: [...this.#frames], lost: this.#lost, time: this.#time };
  }
}

/** The placeholder of a redacted value; in a replay it equals anything. */
export const redacted = '<redacted>';

/** Copies plain data without secrets: values of secret names, and texts that hold such a name. */
function redactor(more: readonly (string | RegExp)[]): <T>(data: T) => T {
  const isNamed = (name: string): boolean =>
    more.some((one) => (typeof one === 'string' ? one === name : name.search(one) !== -1));
  const isSecret = (name: string, value: unknown, isSchema: boolean): boolean =>
    isNamed(name) || (!isSchema && namesSecret(name, value));
  const clean = (value: unknown, under = ''): unknown => {
    if (typeof value === 'string') return isTelling(value) ? redacted : value;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((one) => clean(one));
    const { key, name = key } = value as { readonly key?: unknown; readonly name?: unknown };
    const members = Object.entries(value).map(([own, member]: [string, unknown]) => {
      // A schema says what is to come under a name.
      const isSchema = under === 'properties' && typeof member === 'object';
      // { name: 'Authorization', value: 'Bearer …' }
      const isPair = own === 'value' && typeof name === 'string' && isSecret(name, member, false);
      return [own, isPair || isSecret(own, member, isSchema) ? redacted : clean(member, own)] as const;
    });
    return Object.fromEntries(members);
  };
  /** Whether a text is data that holds a secret, or an address that does. */
  const isTelling = (text: string): boolean =>
    /^\s*[[{]/.test(text) ? isTellingData(text) : !/\s/.test(text) && isSecretUrl(text);
  const isTellingData = (text: string): boolean => {
    try {
      const data: unknown = JSON.parse(text);
      return JSON.stringify(clean(data)) !== JSON.stringify(data);
    } catch {
      return false;
    }
  };
  return (data) => clean(data) as typeof data;
}

/** Whatever stands before or after, as in `userPassword` or `secretValue`. */
const anywhere = /(passwords?|passwd|pwd|passphrases?|passcodes?|secrets?|credentials?|cookies?|jwts?)\b/;
/** At the end only: an `authorization_endpoint` and a `tokenType` may be known. */
const atEnd =
  /(tokens?|authorization|bearer|(api|access|secret|private|auth|signing|encryption|session) ?keys?|session ?ids?)$/;

/** Whether a value is secret for its name. */
function namesSecret(name: string, value: unknown): boolean {
  // That there is one may be known, and how many tokens there are.
  if (value === null || typeof value === 'boolean') return false;
  const words = wordsOf(name);
  if (/tokens?$/.test(words) && (typeof value === 'number' || /progress ?token$/.test(words))) return false;
  return anywhere.test(words) || atEnd.test(words);
}

/** Whether an address holds who calls, or something secret in its query or its fragment. */
function isSecretUrl(text: string): boolean {
  if (/^[a-z][a-z\d+.-]*:\/\/[^/?#]*@/i.test(text)) return true;
  const isSecret = ([name, value]: [string, string]): boolean =>
    value !== '' && (namesSecret(name, value) || /\b(sig|signature)$|^key$/.test(wordsOf(name)));
  return text
    .split(/[?#]/)
    .slice(1)
    .some((part) => [...new URLSearchParams(part)].some(isSecret));
}

/** Its words however it is spelt: `OPENAI_API_KEY`, `x-api-key`, `authToken`. */
function wordsOf(name: string): string {
  return name
    .replace(/([a-z])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim();
}
