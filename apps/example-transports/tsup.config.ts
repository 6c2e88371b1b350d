import { application } from '../../tsup.base.js';

export default application(['src/custom-transport.ts']);
