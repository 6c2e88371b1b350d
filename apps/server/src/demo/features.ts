import type { Feature } from './cell.js';
import { askingCells } from './cells/asking-cells.js';
import { otherCells } from './cells/other-cells.js';
import { resourceCells } from './cells/resource-cells.js';
import { toolCells } from './cells/tool-cells.js';

/** The columns of the table. */
export const features: readonly Feature[] = [...toolCells, ...resourceCells, ...askingCells, ...otherCells];
