import { memory } from '@rxmcp/memory';
import type { ConnectedPair, ConnectedPairOptions } from '@rxmcp/testing';
import { connectedPair } from '@rxmcp/testing';
import { onTestFinished } from 'vitest';

/** A handler on a server, and its client, over memory until the test has finished. */
export const pair = (
  version: string,
  handler: ConnectedPairOptions['handler'],
  offers: ConnectedPairOptions = {},
): Promise<ConnectedPair> =>
  connectedPair({ version, handler, ...offers, link: memory(), onCleanup: onTestFinished });
