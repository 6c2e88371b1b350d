import { shown } from './names.js';

/** Whether a value is a size: a whole number of bytes, before any base64 (schema 2026-07-28 Resource.size). */
export function isSize(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

/** Refuses what is no size. Throws a TypeError that begins with `where`. */
export function refuseSize(where: string, size: unknown): void {
  if (size === undefined || isSize(size)) return;
  throw new TypeError(`${where}: "size" must be a whole number of bytes, not ${shown(size)}`);
}
