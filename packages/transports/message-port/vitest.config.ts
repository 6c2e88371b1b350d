import { project } from '../../../vitest.base.js';

export default project('message-port', { waits: true });
