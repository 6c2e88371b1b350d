import type { JsonObject } from '@rxmcp/core';
import type { Connection } from '../in-process-link.js';

/** One of the two who talk. */
export type Side = 'client' | 'server';

/** One thing that passed the wire. */
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
      /** Which request it belongs to where each has a way of its own, counted from 1. */
      readonly lane?: number;
    }
  /** Somebody ended the way of one request. */
  | { readonly type: 'lane-closed'; readonly from: Side; readonly lane: number }
  | {
      readonly type: 'closed';
      readonly from: Side;
      readonly error?: { readonly code: string; readonly message: string };
    }
);

/** What the connection could carry. */
export type RecordedTraits = Partial<Connection['traits']>;

/** What passed the wire: plain data, which survives JSON. */
export interface Recording {
  readonly frames: readonly Frame[];
  /** Frames that were left out since the recording was full. */
  readonly lost: number;
  /** Whose time `at` is: virtual time is the same in every run. */
  readonly time: 'virtual' | 'real';
}

export type MessageFrame = Extract<Frame, { type: 'message' }>;

export function otherSide(side: Side): Side {
  return side === 'client' ? 'server' : 'client';
}
