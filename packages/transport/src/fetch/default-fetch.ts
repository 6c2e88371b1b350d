import { defaultFetch as fetchOfPlatform } from '#fetch';
import type { Fetch } from './fetch.js';

/** The `fetch` of this platform. Declarations do not name the import, whose conditions not every compiler knows. */
export const defaultFetch: Fetch = fetchOfPlatform;
