/** The figures of one column whose cells are all numbers or empty. */
export interface ColumnFigures {
  readonly column: string;
  readonly sum: number;
  readonly average: number;
  /** Cells with a number. */
  readonly count: number;
}

/** A column that has no figures. */
export interface SkippedColumn {
  readonly column: string;
  readonly reason: string;
}

/** Adds up one column, cell by cell. */
export class Column {
  #sum = 0;
  #lost = 0;
  #count = 0;
  #numeric = true;

  constructor(readonly name: string) {}

  add(cell: string): void {
    const text = cell.trim();
    if (text === '' || !this.#numeric) return;
    if (!number.test(text)) {
      this.#numeric = false;
      return;
    }
    this.#count += 1;
    this.#plus(Number(text));
  }

  /** What it adds up to, or why it does not. */
  figures(): ColumnFigures | SkippedColumn {
    const { name: column } = this;
    const count = this.#count;
    const sum = this.#sum + this.#lost;
    if (!this.#numeric) return { column, reason: 'it holds something that is no number' };
    if (count === 0) return { column, reason: 'it is empty' };
    // JSON has no word for what is beyond all numbers.
    if (!Number.isFinite(sum)) return { column, reason: 'its numbers are too large to add up' };
    return { column, sum, average: sum / count, count };
  }

  // Neumaier's summation: a plain sum of many figures loses the small ones.
  #plus(value: number): void {
    const next = this.#sum + value;
    this.#lost +=
      Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - next + value : value - next + this.#sum;
    this.#sum = next;
  }
}

const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
