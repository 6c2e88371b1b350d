import { project } from '../../../vitest.base.js';

export default project('stdio', { waits: true });
