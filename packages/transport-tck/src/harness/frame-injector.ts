import type { Fixture } from './fixture.js';

/** Returns what sends raw frames: the hook of the fixture, its relay where that can frame a message, or nothing. */
export function frameInjector(fixture: Fixture): Fixture['injectFrame'] {
  const { relay } = fixture;
  if (fixture.injectFrame !== undefined) return (...frame) => fixture.injectFrame?.(...frame);
  const { frame } = relay ?? {};
  if (frame === undefined) return undefined;
  return (towards, content) => {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    relay?.inject(towards, frame(bytes, towards));
  };
}
