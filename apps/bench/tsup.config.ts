import { application } from '../../tsup.base.js';

export default application(['src/*.ts'], { external: [/^@modelcontextprotocol\//] });
