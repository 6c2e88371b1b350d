/** One pixel, as a PNG. */
export const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGPYLt4DAALjAVtbY0tZAAAAAElFTkSuQmCC';

/** Eight samples of silence, as a WAV. */
export const silence = 'UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA==';
