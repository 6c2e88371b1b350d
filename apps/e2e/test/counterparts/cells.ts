import { describe, expect, it } from 'vitest';

/** One counterpart of the table, in one era. */
export interface Column<F extends string> {
  readonly name: string;
  /** What the counterpart cannot do, or its era has not, with the reason. */
  readonly cannot: Readonly<Partial<Record<F, string>>>;
}

/** One line of the table: what is proven with each counterpart. */
export type Feature<C> = (column: C) => Promise<void>;

/** Runs each feature with each counterpart; a cell that cannot be run is printed with its reason. */
export function table<F extends string, C extends Column<F>>(
  columns: readonly C[],
  features: Readonly<Record<F, Feature<C>>>,
): void {
  const lines = Object.entries(features) as [F, Feature<C>][];
  const left: string[] = [];
  for (const column of columns) {
    describe(column.name, () => {
      for (const [title, feature] of lines) {
        if (!(title in column.cannot)) it(`${column.name}: ${title}`, () => feature(column));
      }
    });
    for (const [title, reason] of Object.entries(column.cannot)) {
      left.push(`${column.name}: ${title}: ${String(reason)}`);
    }
  }

  const cells = columns.length * lines.length;
  it(`runs ${cells - left.length} of ${cells} cells, the others have a reason`, () => {
    for (const cell of left) console.log(`not run: ${cell}`);
    const titles = lines.map(([title]) => title as string);
    for (const { cannot } of columns) {
      expect(titles).toEqual(expect.arrayContaining(Object.keys(cannot)));
      expect(Object.values(cannot)).not.toContain('');
    }
  });
}
