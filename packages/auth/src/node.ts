export { fileStore } from './node/file-store.js';
export { loopbackRedirect, type LoopbackRedirectOptions, openInBrowser } from './node/loopback-redirect.js';
export { pasteRedirect, type PasteRedirectOptions } from './node/paste-redirect.js';
