/** Thrown by a law that turns out not to apply here; the message is the reason. */
export class NotRun extends Error {
  override readonly name = 'NotRun';
}
