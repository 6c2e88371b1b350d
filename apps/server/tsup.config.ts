import { application } from '../../tsup.base.js';

export default application(['src/main.ts', 'src/demo.ts', 'src/demo-child.ts', 'src/demo-worker.ts']);
