import { project } from '../../vitest.base.js';

export default project('example-transports', { waits: true });
