import type { JsonObject } from '@rxmcp/core';
import type { Frame, Recording } from '../wire/recording.js';

/** A part of a recording. */
export interface RecordingSlice {
  /** The number of the connection, from 1. @default 1 */
  readonly connection?: number;
  /** Start of the part, in milliseconds. The opening of the connection is kept, directly before it. @default 0 */
  readonly startMs?: number;
  /** End of the part, in milliseconds. Requests that are open then are kept up to their responses. @default Infinity */
  readonly endMs?: number;
}

const openings: ReadonlySet<unknown> = new Set([
  'initialize',
  'notifications/initialized',
  'server/discover',
]);

/**
 * Returns the frames of one connection between two times, and its opening. Frames of requests outside of these times are omitted,
 * so that the part is complete.
 */
export function sliceOf(
  recording: Recording,
  { connection = 1, startMs = 0, endMs = Infinity }: RecordingSlice,
): Frame[] {
  const all = recording.frames.filter((frame) => frame.connection === connection);
  if (all.length === 0) throw new TypeError(`the recording has no connection ${connection}`);
  const kept = new Map<string, boolean>();
  const lanes = new Map<number, boolean>();
  const tokens = new Map<string, boolean>();
  let lastOpening = 0;
  const untilMs = answeredBy(all, startMs, endMs);
  const isInside = ({ at }: Frame): boolean => at >= startMs && at <= untilMs;
  const judged = all.filter((frame) => {
    if (frame.type === 'opened') return true;
    if (frame.type === 'closed') return isInside(frame) && frame.at <= endMs;
    if (frame.type === 'lane-closed') return isInside(frame) && lanes.get(frame.lane) !== false;
    const { message, from } = frame;
    if (Array.isArray(message)) return isInside(frame);
    const { method, id, params } = message as JsonObject & { params?: JsonObject };
    const asker = method !== undefined ? from : from === 'client' ? 'server' : 'client';
    const key = `${asker} ${JSON.stringify(id)}`;
    if (method === undefined)
      return kept.get(key) !== false && (isInside(frame) || kept.get(`opening ${key}`) === true);
    const isOpening = openings.has(method);
    // What the server asks later may be needed for a response.
    const isLate = frame.at > endMs && from === 'client' && id !== undefined;
    const keep = isOpening ? frame.at <= endMs : isInside(frame) && !isLate;
    if (id !== undefined) {
      kept.set(key, keep);
      if (isOpening) kept.set(`opening ${key}`, true);
      if (frame.lane !== undefined) lanes.set(frame.lane, keep);
      const token = (params?._meta as JsonObject | undefined)?.progressToken;
      if (token !== undefined) tokens.set(`${from} ${JSON.stringify(token)}`, keep);
      return keep;
    }
    if (method === 'notifications/cancelled')
      return keep && kept.get(`${from} ${JSON.stringify(params?.requestId)}`) !== false;
    const other = from === 'client' ? 'server' : 'client';
    if (method === 'notifications/progress') {
      return keep && tokens.get(`${other} ${JSON.stringify(params?.progressToken)}`) !== false;
    }
    return keep;
  });
  for (const frame of judged) if (frame.at < startMs) lastOpening = Math.max(lastOpening, frame.at);
  // The time between the opening and the part is left out.
  const shift = Math.max(
    0,
    Math.min(...judged.map(({ at }) => at).filter((at) => at >= startMs)) - lastOpening - 1,
  );
  return judged.map((frame) =>
    frame.at >= startMs && Number.isFinite(shift) && startMs > 0 ? { ...frame, at: frame.at - shift } : frame,
  );
}

/** The time at which each request that the client sent between two times is answered or cancelled. */
function answeredBy(all: readonly Frame[], fromMs: number, toMs: number): number {
  const asked = new Set<string>();
  let untilMs = toMs;
  for (const frame of all) {
    if (frame.type === 'lane-closed' && asked.delete(`lane ${frame.lane}`))
      untilMs = Math.max(untilMs, frame.at);
    if (frame.type !== 'message' || Array.isArray(frame.message)) continue;
    const { method, id, params } = frame.message as JsonObject & { params?: JsonObject };
    const isAsked = method !== undefined && id !== undefined && frame.from === 'client';
    if (isAsked && frame.at >= fromMs && frame.at <= toMs) {
      asked.add(`id ${JSON.stringify(id)}`);
      if (frame.lane !== undefined) asked.add(`lane ${frame.lane}`);
    }
    const over =
      method === undefined && frame.from === 'server'
        ? id
        : method === 'notifications/cancelled' && frame.from === 'client'
          ? params?.requestId
          : undefined;
    if (over !== undefined && asked.delete(`id ${JSON.stringify(over)}`))
      untilMs = Math.max(untilMs, frame.at);
  }
  return untilMs;
}
