export { memory, type MemoryTransport, type MemoryOptions } from './memory.js';
