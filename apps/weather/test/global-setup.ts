import application from '../tsup.config.js';
import { programs } from '../../../vitest.programs.js';

export const setup = programs(application, import.meta.url, ['src/main.ts', 'src/client.ts']);
