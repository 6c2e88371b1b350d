/** A line that was found. */
export interface Match {
  readonly path: string;
  /** Counts from one. */
  readonly line: number;
  readonly text: string;
}

/** What one file had; undefined where it was not searched. */
export type FileMatches = readonly Match[] | undefined;

/** Gathers what a search finds, up to a number of matches. */
export class Findings {
  private readonly places: ReadonlyMap<string, number>;
  private readonly matches: Match[] = [];
  private searched = 0;
  private skipped = 0;

  /** The paths are those that are searched, in the order in which the result has them. */
  constructor(
    private readonly maxMatches: number,
    paths: readonly string[],
  ) {
    this.places = new Map(paths.map((path, place) => [path, place]));
  }

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
    const placeOf = ({ path }: Match): number => this.places.get(path) ?? 0;
    const matches = this.matches
      .slice(0, maxMatches)
      .sort((a, b) => placeOf(a) - placeOf(b) || a.line - b.line);
    return {
      matches,
      filesSearched: searched,
      filesSkipped: skipped,
      complete: this.matches.length < maxMatches,
    };
  }
}
