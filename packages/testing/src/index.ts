export { fakeRemote } from './fake-remote.js';
export type { FakeOptions, FakeRemote } from './fake-remote.js';
export { marbles } from './marbles.js';
export type { MarbleHelpers } from './marbles.js';
export type { Script, SeenCall } from './script.js';
export { transcript } from './transcript.js';
export type { Transcript, TranscriptOptions } from './transcript.js';
