import type { JsonObject } from '@rxmcp/core';
import type { Connection } from '../in-process/in-process-link.js';

/** One side of a connection. */
export type Side = 'client' | 'server';

/** One recorded event of a connection. */
export type Frame = {
  /** Milliseconds since the recording began. */
  readonly at: number;
  /** Which connection, counted from 1. */
  readonly connection: number;
} & (
  | { readonly type: 'opened'; readonly traits: RecordedTraits }
  | {
      readonly type: 'message';
      readonly from: Side;
      /** One message, or a batch. */
      readonly message: JsonObject | readonly JsonObject[];
      /** The number of its lane, from 1, on a transport with lanes. */
      readonly lane?: number;
    }
  /** One party ended the lane of a request. */
  | { readonly type: 'lane-closed'; readonly from: Side; readonly lane: number }
  | {
      readonly type: 'closed';
      readonly from: Side;
      readonly error?: { readonly code: string; readonly message: string };
    }
);

/** The traits of a recorded connection. */
export type RecordedTraits = Partial<Connection['traits']>;

/** A recording of connections: plain data that can be stored as JSON. */
export interface Recording {
  readonly frames: readonly Frame[];
  /** Number of frames that were dropped because the recording was full. */
  readonly lost: number;
  /** The clock of `at`: virtual time is the same in every run. */
  readonly time: 'virtual' | 'real';
}

export type MessageFrame = Extract<Frame, { type: 'message' }>;

export function otherSide(side: Side): Side {
  return side === 'client' ? 'server' : 'client';
}
