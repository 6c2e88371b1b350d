export { memory, type MemoryLink, type MemoryOptions } from './memory.js';
