import { mergeConfig } from 'vitest/config';
import config from './vitest.together.config.js';

// Workers inherit it.
process.env['RXMCP_EXHAUSTIVE'] = '1';

/** Tests at full size, their files in the random order of a seed, which is printed; RXMCP_SEED or `--sequence.seed` sets it. */
export default mergeConfig(config, { test: { sequence: { shuffle: { files: true } } } });
