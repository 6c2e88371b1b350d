import { type JsonSchema, type Tool, text, tool } from 'rxmcp/tools';
import * as z from 'zod';

/** Keywords that a list must keep unchanged; their combined meaning does not matter here. */
const keywords: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

/** Tools that test input schemas. */
export const schemaTools: readonly Tool[] = [
  tool('json_schema_2020_12_tool', { description: 'Has a rich schema.', input: keywords }, (args) =>
    text(JSON.stringify(args)),
  ),
  tool(
    'test_header_parameter',
    {
      description: 'Has an argument that travels in a header as well.',
      input: z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }).optional() }),
    },
    ({ region = 'nowhere' }) => text(`The region is ${region}.`),
  ),
];
