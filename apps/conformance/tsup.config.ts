import { defineConfig } from 'tsup';
import { application } from '../../tsup.base.js';

export default defineConfig(application(['src/server.ts', 'src/client.ts']));
