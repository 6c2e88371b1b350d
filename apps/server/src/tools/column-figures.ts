/** The figures of one column whose cells are all numbers or empty. */
export interface ColumnFigures {
  readonly column: string;
  readonly sum: number;
  readonly average: number;
  /** Cells with a number. */
  readonly count: number;
}

/** Adds up one column, cell by cell. */
export class Column {
  private sum = 0;
  private lost = 0;
  private count = 0;
  private numeric = true;

  constructor(readonly name: string) {}

  add(cell: string): void {
    const text = cell.trim();
    if (text === '' || !this.numeric) return;
    if (!number.test(text)) {
      this.numeric = false;
      return;
    }
    this.count += 1;
    this.plus(Number(text));
  }

  /** Undefined for a column that holds anything but numbers, or nothing. */
  figures(): ColumnFigures | undefined {
    if (!this.numeric || this.count === 0) return undefined;
    const sum = this.sum + this.lost;
    return { column: this.name, sum, average: sum / this.count, count: this.count };
  }

  // Neumaier's summation: a plain sum of many figures loses the small ones.
  private plus(value: number): void {
    const next = this.sum + value;
    this.lost += Math.abs(this.sum) >= Math.abs(value) ? this.sum - next + value : value - next + this.sum;
    this.sum = next;
  }
}

const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
