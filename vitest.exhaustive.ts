/**
 * Whether tests are to run at full size: all rounds of floods, all cells of matrices. `npm test` is quicker and leaves out what
 * only repeats. `npm run test:exhaustive` runs the files that import this one, directly or not. It leaves out the parts that take long and
 * are the same in `npm test`.
 */
export const exhaustive: boolean = process.env['RXMCP_EXHAUSTIVE'] === '1';
