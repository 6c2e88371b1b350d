import { defaultJsonLimits, WireError } from '@rxmcp/jsonrpc';

/**
 * Weighs what came as a structured clone, and throws a {@link WireError} where it is nothing that JSON can say, nests deeper
 * than 128, holds more than 200,000 values, or weighs more than `maxBytes`. A clone may contain itself, or one part so often
 * that it could never be written out. Members that are `undefined` are counted as values and removed, as in JSON.
 *
 * What is held against `maxBytes` is at most what the value takes as JSON, so that nothing is rejected which the other side may
 * send. What is given is at least a sixth of that: a number takes up to 25 characters there, and an escaped character six.
 */
export function measureMessage(value: unknown, maxBytes: number): number {
  const scale: Scale = { nodes: 1, bytes: 0, maxBytes };
  put(value, scale, 0);
  return scale.bytes + nodeChars * scale.nodes;
}

/** Added for each value, whose size as JSON is not known. */
const nodeChars = 4;

interface Scale {
  nodes: number;
  bytes: number;
  readonly maxBytes: number;
}

const { maxDepth, maxValues } = defaultJsonLimits;

function put(value: unknown, scale: Scale, depth: number): void {
  if (typeof value === 'string') add(scale, value.length + 2);
  else if (typeof value === 'boolean' || value === null) add(scale, 4);
  else if (typeof value === 'number' && Number.isFinite(value)) add(scale, 1);
  else if (typeof value === 'object') putAll(value, scale, depth + 1);
  else throw rejected(`the value holds a ${typeof value} that JSON cannot express`);
}

function putAll(value: object, scale: Scale, depth: number): void {
  if (depth > maxDepth) throw rejected(`the value nests deeper than ${String(maxDepth)}`);
  add(scale, 2);
  if (Array.isArray(value)) {
    count(scale, value.length);
    // Nothing else would look at its named members.
    if (Object.keys(value).length !== value.length)
      throw rejected('the value holds an array with holes or named members');
    for (const item of value) put(item, scale, depth);
    return;
  }
  const kind = Object.prototype.toString.call(value);
  if (kind !== '[object Object]') throw rejected(`the value holds an ${kind} that JSON cannot express`);
  const names = Object.keys(value);
  count(scale, names.length);
  for (const name of names) {
    const member = (value as Record<string, unknown>)[name];
    if (member === undefined) delete (value as Record<string, unknown>)[name];
    else {
      add(scale, name.length + 3);
      put(member, scale, depth);
    }
  }
}

function count(scale: Scale, values: number): void {
  scale.nodes += values;
  if (scale.nodes > maxValues) throw rejected(`the value holds more than ${String(maxValues)} values`);
}

function add(scale: Scale, bytes: number): void {
  scale.bytes += bytes;
  if (scale.bytes <= scale.maxBytes) return;
  throw new WireError('TOO_LARGE', `a message is larger than ${String(scale.maxBytes)} bytes`);
}

function rejected(message: string): WireError {
  return new WireError('INVALID_MESSAGE', message);
}
