/**
 * Whether tests are to run at full size: all rounds of floods, all cells of matrices. `npm test` is quicker and leaves out what
 * only repeats; `npm run test:exhaustive` leaves out nothing.
 */
export const exhaustive: boolean = process.env['RXMCP_EXHAUSTIVE'] === '1';
