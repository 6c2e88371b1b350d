import { mergeConfig } from 'vitest/config';
import config from './vitest.config.js';

// Workers inherit it.
process.env['RXMCP_EXHAUSTIVE'] = '1';

/** All tests at full size, their files in a random order: the seed is printed, and `--sequence.seed` takes it again. */
export default mergeConfig(config, {
  test: { sequence: { shuffle: { files: true } } },
});
