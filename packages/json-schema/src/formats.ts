import { format } from '@cfworker/json-schema';

/**
 * The formats that are checked, by their name. The library's test of `url` takes exponential time and is in no
 * revision of JSON Schema, so it is left out like any unknown name; the others are linear.
 */
export const formats: ReadonlyMap<string, (text: string) => boolean> = new Map(
  [
    'date',
    'time',
    'date-time',
    'duration',
    'uri',
    'uri-reference',
    'uri-template',
    'email',
    'hostname',
    'ipv4',
    'ipv6',
    'regex',
    'uuid',
    'json-pointer',
    'relative-json-pointer',
  ].flatMap((name) => {
    const test = format[name];
    return test === undefined ? [] : [[name, test] as const];
  }),
);
