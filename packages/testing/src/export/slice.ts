import type { JsonObject } from '@rxmcp/core';
import type { Frame, Recording } from '../wire/recording.js';

/** Which part of a recording. */
export interface Slice {
  /** Which connection, counted from 1. @default 1 */
  readonly connection?: number;
  /** From that time on, in milliseconds. The opening of the connection stays, right before it. @default 0 */
  readonly fromMs?: number;
  /** What is later is left out. @default Infinity */
  readonly toMs?: number;
}

const openings: ReadonlySet<unknown> = new Set([
  'initialize',
  'notifications/initialized',
  'server/discover',
]);

/**
 * The frames of one connection between two times, and its opening. What belongs to a request outside of them is left out, so
 * that the part stands by itself.
 */
export function sliceOf(
  recording: Recording,
  { connection = 1, fromMs = 0, toMs = Infinity }: Slice,
): Frame[] {
  const all = recording.frames.filter((frame) => frame.connection === connection);
  if (all.length === 0) throw new TypeError(`the recording has no connection ${connection}`);
  const kept = new Map<string, boolean>();
  const lanes = new Map<number, boolean>();
  const tokens = new Map<string, boolean>();
  let lastOpening = 0;
  const isInside = ({ at }: Frame): boolean => at >= fromMs && at <= toMs;
  const judged = all.filter((frame) => {
    if (frame.type === 'opened') return true;
    if (frame.type === 'closed') return isInside(frame);
    if (frame.type === 'left') return isInside(frame) && lanes.get(frame.lane) !== false;
    const { message, from } = frame;
    if (Array.isArray(message)) return isInside(frame);
    const { method, id, params } = message as JsonObject & { params?: JsonObject };
    const asker = method !== undefined ? from : from === 'client' ? 'server' : 'client';
    const key = `${asker} ${JSON.stringify(id)}`;
    if (method === undefined)
      return kept.get(key) !== false && (isInside(frame) || kept.get(`opening ${key}`) === true);
    const isOpening = openings.has(method);
    const keep = isOpening ? frame.at <= toMs : isInside(frame);
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
  for (const frame of judged) if (frame.at < fromMs) lastOpening = Math.max(lastOpening, frame.at);
  // The time between the opening and the part is left out.
  const shift = Math.max(
    0,
    Math.min(...judged.map(({ at }) => at).filter((at) => at >= fromMs)) - lastOpening - 1,
  );
  return judged.map((frame) =>
    frame.at >= fromMs && Number.isFinite(shift) && fromMs > 0 ? { ...frame, at: frame.at - shift } : frame,
  );
}
