/** A shorter message is handled as soon as it is read: it takes no time that others could notice. */
export const largeChars = 64 * 1024;

/** A chunk of at least so many bytes may be one of many that the system has for its socket. */
export const largeChunkBytes = 16 * 1024;
