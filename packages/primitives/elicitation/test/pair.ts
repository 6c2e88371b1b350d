import { memory } from '@rxmcp/memory';
import type { ConnectedPair, PairOptions } from '@rxmcp/testing';
import { connectedPair } from '@rxmcp/testing';
import { onTestFinished } from 'vitest';

/** A handler on a server, and its client, over memory until the test has finished. */
export const pair = (
  version: string,
  handler: PairOptions['handler'],
  offers: PairOptions = {},
): Promise<ConnectedPair> =>
  connectedPair({ version, handler, ...offers, link: memory(), atEnd: onTestFinished });
