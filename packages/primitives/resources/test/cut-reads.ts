import { TransportError } from '@rxmcp/core';
import type { Interceptor } from '@rxmcp/core/interceptors';
import { throwError } from 'rxjs';
import { onTestFinished, vi } from 'vitest';

/** Cuts some of the reads: the first has the number 1. */
export function cutReads(
  isCut: (read: number) => boolean,
  { code = 'CONNECTION_LOST', wait = 0 }: { code?: 'CONNECTION_LOST' | 'DIAL_FAILED'; wait?: number } = {},
) {
  // The wait before the next read is a random part of its length.
  const random = vi.spyOn(Math, 'random').mockReturnValue(wait);
  onTestFinished(() => random.mockRestore());
  const count = { reads: 0 };
  const interceptor: Interceptor = (request, next) => {
    if (request.method !== 'resources/read') return next(request.params);
    count.reads += 1;
    return isCut(count.reads)
      ? throwError(() => new TransportError(code, 'the read was cut'))
      : next(request.params);
  };
  return { count, options: { attemptInterceptors: [interceptor] } };
}
