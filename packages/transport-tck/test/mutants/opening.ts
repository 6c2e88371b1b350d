import type { PipeEnd } from '../pipe.js';
import type { Mutant } from './mutant.js';

/** Mutants of the groups start, order, lanes and id. */
export const opening: readonly Mutant[] = [
  {
    name: 'delivers inside start',
    law: 'start/not-inside',
    because: 'deliveries inside start',
    everywhere: true,
    change: (parts) => ({
      start(end, receiver) {
        end.receiver = receiver;
        for (const text of end.inbox.splice(0)) parts.deliver(end, text);
        parts.wake(end);
      },
    }),
  },
  {
    name: 'forgets what came before start',
    law: 'start/holds-for-served',
    because: 'the 3 messages sent before start',
    // What a side that has not started was sent is lost here too.
    also: ['pressure/close-delivers', 'pressure/unread-dialled', 'pressure/unread-waits'],
    change: (parts) => ({
      start(end, receiver) {
        end.inbox = [];
        parts.start(end, receiver);
      },
    }),
  },
  {
    name: 'forgets what came a while before start',
    law: 'start/holds-for-served',
    because: 'the 3 messages sent before start',
    // What a side that has not started was sent is lost here too.
    also: ['pressure/close-delivers', 'pressure/unread-waits'],
    change: (parts) => ({
      enqueue(end, text) {
        parts.enqueue(end, text);
        const late = (): void => void (end.receiver === undefined && (end.inbox = []));
        if (end.served) setTimeout(late, 20).unref();
      },
    }),
  },
  {
    name: 'delivers inside start on the dialling side',
    law: 'start/holds-for-dialled',
    because: 'messages delivered inside start',
    // That side starts late there too.
    also: ['pressure/unread-dialled'],
    change: (parts) => ({
      start(end, receiver) {
        end.receiver = receiver;
        if (!end.served) for (const text of end.inbox.splice(0)) parts.deliver(end, text);
        parts.wake(end);
      },
    }),
  },
  {
    name: 'hands over in reverse what came before start',
    law: 'start/holds-for-dialled',
    because: 'the order of arrival',
    // That side starts late there too.
    also: ['pressure/unread-dialled'],
    change: (parts) => ({
      start(end, receiver) {
        if (!end.served) end.inbox.reverse();
        parts.start(end, receiver);
      },
    }),
  },
  {
    name: 'forgets an end that came before start',
    law: 'start/ended-before',
    because: 'closed()',
    alone: true,
    change: (parts) => ({
      start(end, receiver) {
        if (end.finished && end.inbox.length === 0) end.over = true;
        parts.start(end, receiver);
      },
    }),
  },
  {
    name: 'dials though the signal has fired',
    law: 'start/aborted-dial',
    because: 'dial() with an aborted signal did not reject',
    // It aborts a dial first.
    also: ['dial/again-after-abort'],
    change: (parts) => ({ dial: (connect) => parts.dial(connect, undefined) }),
  },
  {
    name: 'takes the newest frame first',
    law: 'order/sent',
    because: 'the order of arrival',
    // They look at the first of several frames, and at the order in which what waited was handed over.
    also: [
      'close/same-turn',
      'pressure/unread-dialled',
      'pressure/unread-waits',
      'served/flood',
      'start/holds-for-dialled',
      'start/holds-for-served',
    ],
    change: () => ({ next: (end) => end.inbox.pop() }),
  },
  {
    name: 'lets small frames overtake large ones',
    law: 'order/big-before-small',
    because: 'the order of arrival',
    change: (parts) => ({
      enqueue(end, text) {
        if (text.length < 20_000) parts.enqueue(end, text);
        else setImmediate(() => setImmediate(() => parts.enqueue(end, text)));
      },
    }),
  },
  {
    name: 'delivers to the served side inside send',
    law: 'order/not-inside-send',
    because: 'deliveries inside a call',
    everywhere: true,
    change: (parts) => ({
      enqueue(end, text) {
        const now = end.served && end.receiver !== undefined && !end.over;
        if (now) parts.deliver(end, text);
        else parts.enqueue(end, text);
      },
    }),
  },
  {
    name: 'closes when a lane ends',
    law: 'lanes/end-shared',
    because: 'the response of the ended lane',
    change: (parts) => ({ endLane: (end) => parts.over(end) }),
  },
  {
    name: 'answers the latest client that dialled',
    law: 'id/two-connections',
    because: 'responses on each connection',
    // Two clients are two dials.
    also: ['dial/two-at-once', 'start/stays-open'],
    change(parts) {
      let newest: PipeEnd | undefined;
      return {
        dial: async (connect, options) => (newest = await parts.dial(connect, options)),
        enqueue: (end, text) => parts.enqueue(end.served ? end : (newest ?? end), text),
      };
    },
  },
  {
    name: 'writes negative ids as strings',
    law: 'id/values',
    because: 'the responses to id -7',
    change: (parts) => ({ text: (out) => parts.text(out).replace(/"id":(-\d+)/, '"id":"$1"') }),
  },
  {
    name: 'drops the empty id',
    law: 'id/values',
    because: '7 responses',
    change: (parts) => ({ text: (out) => parts.text(out).replace('"id":"",', '') }),
  },
  {
    name: 'rejects a dial with any error',
    law: 'start/aborted-dial',
    because: 'rejected with no TransportError: Error: no',
    everywhere: true,
    change: (parts) => ({
      dial: (...dial) => parts.dial(...dial).catch(() => Promise.reject(new Error('no'))),
    }),
  },
  {
    name: 'sends without a promise',
    law: 'order/sent',
    because: 'send() returned undefined, which is not a promise',
    everywhere: true,
    change: (parts) => ({
      send: (...send) => void parts.send(...send).catch(() => undefined) as never,
    }),
  },
  ...wrongTraits({ lanes: 'some' }, 'traits.lanes is some'),
  ...wrongTraits({ idScope: undefined }, 'traits.idScope is undefined'),
  ...wrongTraits({ redialable: 1 }, 'traits.redialable is not a boolean'),
  ...wrongTraits({ maxMessageBytes: 0 }, 'traits.maxMessageBytes is 0'),
];

/** A pipe whose dialling side has wrong traits. */
function wrongTraits(wrong: object, because: string): readonly Mutant[] {
  return [
    {
      name: `has the traits ${JSON.stringify(wrong)}`,
      law: 'start/traits',
      because,
      everywhere: true,
      change: (parts) => ({
        async dial(connect, options) {
          const end = await parts.dial(connect, options);
          return Object.assign(end, { traits: { ...end.traits, ...wrong } });
        },
      }),
    },
  ];
}
