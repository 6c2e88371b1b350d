import { application } from '../../tsup.base.js';

export default application(['src/ipc.ts', 'src/lines-over-tcp.ts']);
