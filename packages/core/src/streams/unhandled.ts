import { config } from 'rxjs';

/** Tells of an error that nobody is there to take, in the way of RxJS: on its own, so that it stops nothing else. */
export function unhandled(error: unknown): void {
  setTimeout(() => {
    if (config.onUnhandledError === null) throw error;
    config.onUnhandledError(error);
  }, 0);
}
