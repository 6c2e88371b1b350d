/** What a stream says of itself: nobody on its way may keep it, change it or hold it back. */
export const streamHeaders: Readonly<Record<string, string>> = Object.freeze({
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
});
