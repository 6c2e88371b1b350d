export * from '@rxmcp/core';
