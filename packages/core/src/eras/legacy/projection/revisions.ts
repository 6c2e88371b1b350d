/** The revisions by which things came, oldest first. */
export const r03 = '2025-03-26';
export const r06 = '2025-06-18';
export const r11 = '2025-11-25';
