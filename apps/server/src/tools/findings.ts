/** A line that was found. */
export interface Match {
  readonly path: string;
  /** Counts from one. */
  readonly line: number;
  readonly text: string;
}

/** What one file had; undefined where it was not searched. */
export type FileMatches = readonly Match[] | undefined;

/** Gathers what a search finds, in the order in which it is found, up to a number of matches. */
export class Findings {
  private readonly matches: Match[] = [];
  private searched = 0;
  private skipped = 0;

  constructor(private readonly maxMatches: number) {}

  /** Files that are done with. */
  get filesDone(): number {
    return this.searched + this.skipped;
  }

  /** Takes what a file had. Tells whether more is wanted. */
  add(found: FileMatches): boolean {
    if (found === undefined) this.skipped += 1;
    else {
      this.searched += 1;
      this.matches.push(...found);
    }
    return this.matches.length < this.maxMatches;
  }

  result(): { matches: Match[]; filesSearched: number; filesSkipped: number; complete: boolean } {
    const { searched, skipped, maxMatches } = this;
    const matches = this.matches.slice(0, maxMatches);
    return {
      matches,
      filesSearched: searched,
      filesSkipped: skipped,
      complete: this.matches.length < maxMatches,
    };
  }
}
