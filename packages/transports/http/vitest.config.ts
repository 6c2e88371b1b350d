import { project } from '../../../vitest.base.js';

export default project('http', { waits: true });
