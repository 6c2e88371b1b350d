import { across, pairs } from './pairs.js';

across('2026-07-28', [...pairs, ['unix', 'unix']]);
