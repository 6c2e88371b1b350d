import { across, pairs } from './pairs.js';

across('2025-11-25', [...pairs, ['unix', 'unix']]);
