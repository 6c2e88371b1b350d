export { popupRedirect, type PopupRedirect, type PopupRedirectOptions } from './browser/popup-redirect.js';
export { returnFromPopup } from './browser/return-from-popup.js';
export { sameWindowRedirect, type SameWindowRedirectOptions } from './browser/same-window-redirect.js';
