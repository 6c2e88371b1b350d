const maxMissed = 256;
const maxMissedLength = 64 * 1024;

/** What was sent before a reader came who could ask for it: the latest few messages. */
export class Missed {
  private texts: string[] = [];
  private length = 0;

  /** Keeps a message, and lets go of the oldest where there are too many. */
  add(text: string): void {
    this.texts.push(text);
    this.length += text.length;
    while (this.texts.length > maxMissed || (this.length > maxMissedLength && this.texts.length > 1)) {
      this.length -= this.texts.shift()?.length ?? 0;
    }
  }

  /** Gives what there is and forgets it. */
  take(): readonly string[] {
    const { texts } = this;
    this.texts = [];
    this.length = 0;
    return texts;
  }
}
