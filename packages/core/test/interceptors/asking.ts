import { askingTool } from '../rig/asking-tool.js';
import { roots as rootsOf } from '../rig/roots.js';

/** A tool of a server that asks its client for roots, and returns the answer. */
export const asking = askingTool((ask) => ask());

/** The client's answer. */
export const roots = rootsOf(() => ({ roots: [] }));
