import { type Sink, TransportError } from '@rxmcp/transport';
import type { ByteReader, StreamParts } from '../wires/stream.js';
import { type Broken, leaked } from './mutant.js';

/** A working stream of bytes with one change. */
export interface StreamMutant extends Broken {
  /** Replaces parts of the stream, in at most ten lines. */
  change(parts: StreamParts): Partial<StreamParts>;
  /** That of the fixture. @default none */
  readonly firstMessageTimeoutMs?: number;
}

const emptyFrame = new Uint8Array(4);
/** Whether a message was cut off, by the sink that should have got it. */
const halves = new WeakMap<Sink, boolean>();

/** A reader that stops at its first fault where it `stops`. */
function stopping({ reader }: StreamParts, sink: Sink, isServer: boolean, stops: boolean): ByteReader {
  let stopped = false;
  const noted: Sink = {
    ...sink,
    fault: (error) => ((stopped = stops), stops ? undefined : sink.fault(error)),
  };
  noted.bytes = (bytes) => (stopped ? undefined : sink.bytes(bytes));
  const inner = reader(noted, isServer);
  return { push: (bytes) => (stopped ? undefined : inner.push(bytes)), end: () => inner.end() };
}

function half(sink: Sink): void {
  sink.value({ jsonrpc: '2.0', method: 'half' });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.onabort = () => reject(new TransportError('DIAL_ABORTED', 'the dial was aborted'));
  });
}

function impatient({ push, end }: ByteReader, sink: Sink): ByteReader {
  const late = (): void => sink.closed(new TransportError('STALLED', 'nothing arrived'));
  let timer = setTimeout(late, 60);
  return {
    push(bytes) {
      clearTimeout(timer);
      timer = setTimeout(late, 60);
      push(bytes);
    },
    end: () => (clearTimeout(timer), end()),
  };
}

function stopsAtRepeat({ push, end }: ByteReader): ByteReader {
  let last = '';
  return {
    push(bytes) {
      last = last === 'again' || last === String(bytes) ? 'again' : String(bytes);
      if (last !== 'again') push(bytes);
    },
    end,
  };
}

/** Mutants of a stream of bytes, most of which only a relay shows. */
export const streamed: readonly StreamMutant[] = [
  {
    name: 'reads on while its sends wait',
    law: 'pressure/reads-no-further',
    because: 'were accepted although the other side did not read',
    alone: true,
    change: () => ({ pause: () => undefined }),
  },
  {
    name: 'keeps a connection without a message',
    law: 'start/first-message',
    because: 'the end of a connection without a message',
    everywhere: true,
    firstMessageTimeoutMs: 50,
    change: () => ({ deadline: () => Infinity }),
  },
  {
    name: 'notifies one side of the end of a silent connection',
    law: 'start/first-message',
    because: 'closed() on the dialling side',
    everywhere: true,
    firstMessageTimeoutMs: 50,
    change: () => ({ ended: () => undefined }),
  },
  {
    name: 'ends a silent connection in order',
    law: 'start/first-message',
    because: 'the end on the served side',
    everywhere: true,
    firstMessageTimeoutMs: 50,
    change: (parts) => ({
      reader(sink, isServer) {
        const { push, end } = parts.reader(sink, isServer);
        const timer = isServer ? setTimeout(() => sink.closed(), 30) : undefined;
        return {
          push: (bytes) => (clearTimeout(timer), push(bytes)),
          end: () => (clearTimeout(timer), end()),
        };
      },
    }),
  },
  {
    name: 'expects the length of a message in one chunk',
    law: 'relay/trickle',
    because: '3 responses',
    everywhere: true,
    change: (parts) => ({
      reader(sink, isServer) {
        const reader = parts.reader(sink, isServer);
        const push = (bytes: Uint8Array): void =>
          bytes.length < 4 ? sink.fault(new TransportError('PARSE_ERROR', 'too short')) : reader.push(bytes);
        return { push, end: () => reader.end() };
      },
    }),
  },
  {
    name: 'takes each chunk for a message',
    law: 'relay/pieces',
    because: 'responses',
    everywhere: true,
    change: () => ({
      reader: (sink) => ({ push: (bytes) => sink.bytes(bytes.subarray(4)), end: () => undefined }),
    }),
  },
  {
    name: 'ends when nothing has arrived for 60 ms',
    law: 'relay/delay',
    because: 'STALLED',
    everywhere: true,
    change: (parts) => ({ reader: (sink, isServer) => impatient(parts.reader(sink, isServer), sink) }),
  },
  {
    name: 'reads nothing after bytes that come again',
    law: 'relay/twice',
    because: 'to be answered or to end',
    everywhere: true,
    change: (parts) => ({ reader: (...sides) => stopsAtRepeat(parts.reader(...sides)) }),
  },
  {
    name: 'delivers half a request',
    law: 'relay/truncated-to-served',
    because: 'a message was delivered that was never sent',
    everywhere: true,
    change: (parts) => ({
      reader: (sink, isServer) =>
        parts.reader({ ...sink, fault: (error) => (isServer ? half(sink) : sink.fault(error)) }, isServer),
    }),
  },
  {
    name: 'waits for the rest of a response after the end',
    law: 'relay/truncated-to-dialled',
    because: 'to be answered or to end',
    everywhere: true,
    change: (parts) => ({
      reader: (sink, isServer) =>
        parts.reader({ ...sink, fault: () => void halves.set(sink, !isServer) }, isServer),
      ended: (sink, isLost) => (halves.get(sink) === true ? undefined : parts.ended(sink, isLost)),
    }),
  },
  {
    name: 'stops reading requests at bytes that it does not understand',
    law: 'relay/noise-to-served',
    because: 'to be answered or to end',
    everywhere: true,
    change: (parts) => ({ reader: (sink, isServer) => stopping(parts, sink, isServer, isServer) }),
  },
  {
    name: 'stops reading responses at bytes that it does not understand',
    law: 'relay/noise-to-dialled',
    because: 'to be answered or to end',
    everywhere: true,
    change: (parts) => ({ reader: (sink, isServer) => stopping(parts, sink, isServer, !isServer) }),
  },
  {
    name: 'waits for the end of the other side without a deadline',
    law: 'relay/silent-close',
    because: 'close() to resolve',
    everywhere: true,
    change: () => ({ closing: (end) => end.over }),
  },
  {
    name: 'keeps a timer until the other side has ended too',
    law: 'leak/silent',
    because: 'there are more handles than before',
    alone: true,
    change: (parts) => ({
      closing(end) {
        leaked.push(setInterval(() => undefined, 60_000));
        void end.over.then(() => clearInterval(leaked.pop()));
        return parts.closing(end);
      },
    }),
  },
  {
    name: 'finishes a dial that was aborted only when the other side has answered',
    law: 'relay/silent-dial',
    because: 'dial() to resolve',
    everywhere: true,
    change: (parts) => ({
      async dial(connect, signal) {
        const end = await parts.dial(connect, signal);
        void end.peer?.out?.pass(emptyFrame);
        await end.arrived;
        return end;
      },
    }),
  },
  {
    name: 'leaves the connection of a dial that was aborted',
    law: 'relay/silent-dial',
    because: 'the dialling side to end the connection of the aborted dial',
    everywhere: true,
    change: () => ({
      async dial(connect, signal) {
        const end = connect();
        void end.peer?.out?.pass(emptyFrame);
        await Promise.race([end.arrived, ...(signal === undefined ? [] : [aborted(signal)])]);
        return end;
      },
    }),
  },
  {
    name: 'drops half a message that an end has cut off',
    law: 'relay/truncated-to-served',
    because: 'a fault or an error for half a message on the served side',
    everywhere: true,
    change: (parts) => ({
      reader: (...sides) => ({ ...parts.reader(...sides), end: () => undefined }),
    }),
  },
  {
    name: 'replaces bytes that are not UTF-8',
    law: 'garbage/not-utf8',
    because: 'a fault',
    everywhere: true,
    change: (parts) => ({
      reader: (sink, isServer) =>
        parts.reader({ ...sink, bytes: (bytes) => sink.text(new TextDecoder().decode(bytes)) }, isServer),
    }),
  },
  {
    name: 'reports a loss as an orderly end',
    law: 'cut/loss-at-every-message',
    because: 'a cut was reported as in order',
    everywhere: true,
    change: (parts) => ({ ended: (sink) => parts.ended(sink, false) }),
  },
  {
    name: 'counts the characters of a message as its bytes',
    law: 'message/large-non-ascii',
    because: 'waited',
    everywhere: true,
    change: (parts) => ({
      encode(text) {
        const frame = parts.encode(text);
        new DataView(frame.buffer).setUint32(0, text.length);
        return frame;
      },
    }),
  },
];
