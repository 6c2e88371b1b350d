/** The revisions, oldest first. */
export const r03 = '2025-03-26';
export const r06 = '2025-06-18';
export const r11 = '2025-11-25';

/*
 * The members that later revisions added, each with its revision. Members that no revision defines are custom and stay.
 * One constant per type, so that a bundle includes only those that it uses.
 */

export const implementation = { title: r06, icons: r11, description: r11, websiteUrl: r11 };
export const serverCapabilities = { completions: r03 };
export const clientCapabilities = { elicitation: r06 };
export const tool = {
  annotations: r03,
  title: r06,
  outputSchema: r06,
  _meta: r06,
  icons: r11,
  execution: r11,
};
export const resource = { title: r06, _meta: r06, icons: r11 };
export const contents = { _meta: r06 };
export const prompt = { title: r06, _meta: r06, icons: r11 };
export const promptArgument = { title: r06 };
export const reference = { title: r06 };
export const completion = { context: r06 };
export const annotations = { lastModified: r06 };
export const block = { _meta: r06 };
export const root = { _meta: r06 };
export const message = { _meta: r11 };
export const sampling = { context: r11, tools: r11 };
export const question = { mode: r11 };
export const form = { $schema: r11 };
