import { isObject } from './is-object.js';

/** A page that a person has to visit before a server does what it was asked (schema 2025-11-25 ElicitRequestURLParams). */
export interface UrlElicitation {
  /** By this name the server tells later that the visit is over. */
  readonly elicitationId: string;
  /** Never to be fetched ahead, and opened only after the person has seen all of it and agreed. */
  readonly url: string;
  /** Why it is needed. */
  readonly message: string;
}

/** The code of an error that names such pages; 2025-11-25 alone has it. */
export const pagesWanted = -32042;

const maxPages = 64;

/** Reads the pages that an error names; what is no page is left out. */
export function pagesOf(data: unknown): readonly UrlElicitation[] {
  const named: unknown = isObject(data) ? data.elicitations : undefined;
  return Array.isArray(named) ? named.slice(0, maxPages).filter(isPage) : [];
}

function isPage(value: unknown): value is UrlElicitation {
  if (!isObject(value) || value.mode !== 'url') return false;
  const { elicitationId, url, message } = value;
  return [elicitationId, url, message].every((member) => typeof member === 'string');
}
