import type { FrameChange } from '../laned-pipe.js';
import type { Broken } from './mutant.js';

/** A working pipe of lanes with one change to the frames it sends; the state of a change is made per served pipe. */
export interface LanedMutant extends Broken {
  change(): FrameChange;
}

/** Mutants of the laws for transports where every request has a lane of its own. */
export const laned: readonly LanedMutant[] = [
  {
    name: 'answers in a lane of its own',
    law: 'lanes/answer-in-lane',
    because: 'a message came in another lane',
    // It looks for each answer in the lane of its request.
    also: ['id/lane-scope'],
    change: () => (frame, served) =>
      served && frame.lane !== undefined ? { ...frame, lane: frame.lane + 1_000 } : frame,
  },
  {
    name: 'sends all requests in one lane',
    law: 'lanes/one-each',
    because: 'the requests share a lane',
    // All answers come in the lane of the first request.
    also: ['id/lane-scope'],
    change: () => (frame, served) => (served || frame.lane === undefined ? frame : { ...frame, lane: 1 }),
  },
  {
    name: 'keeps the end of a lane to itself',
    law: 'lanes/end-arrives',
    because: 'laneClosed on the served side',
    change: () => (frame) => (frame.ended === undefined ? frame : undefined),
  },
  {
    name: 'pushes in the first lane',
    law: 'lanes/standing',
    because: 'a pushed message has a lane',
    change: () => (frame, served) => (served && frame.lane === undefined ? { ...frame, lane: 1 } : frame),
  },
  {
    name: 'finds the lane of an answer by its id',
    law: 'id/lane-scope',
    because: 'the answers in lane',
    change() {
      const asked = new Map<unknown, number>();
      return (frame, served) => {
        const id = frame.message?.['id'];
        if (!served) asked.set(id, frame.lane ?? 0);
        return Object.assign(frame, served && { lane: asked.get(id) ?? frame.lane });
      };
    },
  },
  {
    name: 'forgets the mirror',
    law: 'envelope/mirror',
    because: 'the mirror that arrived',
    change: () => (frame) => ({ ...frame, mirror: {} }),
  },
];
