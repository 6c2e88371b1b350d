import { type Tool, audio, embeddedResource, image, text, tool, ToolError } from 'rxmcp/tools';

const sentence = {
  uri: 'test://embedded',
  mimeType: 'text/plain',
  text: 'The text of an embedded resource.',
};

/** One tool for each kind of content. */
export const contentTools: readonly Tool[] = [
  tool('test_simple_text', { description: 'Gives a text.' }, () => text('A simple text.')),
  tool('test_image_content', { description: 'Gives an image.' }, () => image(pixel, 'image/png')),
  tool('test_audio_content', { description: 'Gives a sound.' }, () => audio(silence, 'audio/wav')),
  tool('test_embedded_resource', { description: 'Gives a resource.' }, () => embeddedResource(sentence)),
  tool('test_multiple_content_types', { description: 'Gives a text, an image and a resource.' }, () => [
    text('Several kinds of content:'),
    image(pixel, 'image/png'),
    embeddedResource(sentence),
  ]),
  tool('test_error_handling', { description: 'Always fails.' }, () => {
    throw new ToolError('This tool fails on purpose.');
  }),
];

/** One pixel, as a PNG. */
export const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGPYLt4DAALjAVtbY0tZAAAAAElFTkSuQmCC';

/** Eight samples of silence, as a WAV. */
const silence = 'UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA==';
