import { fileURLToPath } from 'node:url';

/** The root folder of the workspace. */
export const repository: string = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
