export type { Completion } from './types.js';
