import type { Field } from 'rxmcp/elicitation';
import {
  enumField,
  multiSelectField,
  elicit,
  form,
  integerField,
  numberField,
  stringField,
  booleanField,
} from 'rxmcp/elicitation';
import { type Tool, text, tool } from 'rxmcp/tools';

const defaults = form({
  name: stringField({ default: 'John Doe' }),
  age: integerField({ default: 30 }),
  score: numberField({ default: 95.5 }),
  status: enumField(['active', 'inactive', 'pending'], { default: 'active' }),
  verified: booleanField({ default: true }),
});

const options = ['option1', 'option2', 'option3'] as const;
const titled = { value1: 'First value', value2: 'Second value', value3: 'Third value' };
/** Titles as 2025-06-18 has them; no field is made so any more. */
const legacy: Field<string> = {
  json: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
  optional: false,
};

const choices = form({
  untitledSingle: enumField(options),
  titledSingle: enumField(titled),
  legacyEnum: legacy,
  untitledMulti: multiSelectField(options),
  titledMulti: multiSelectField(titled),
});

/** Tools that show a form with every kind of field. */
export const formTools: readonly Tool[] = [
  tool(
    'test_elicitation_sep1034_defaults',
    { description: 'Shows a form with defaults.' },
    async (_args, ctx) =>
      text(
        JSON.stringify(await elicit(ctx, 'defaults', { message: 'Change what is wrong.', schema: defaults })),
      ),
  ),
  tool(
    'test_elicitation_sep1330_enums',
    { description: 'Shows a form with every kind of choice.' },
    async (_args, ctx) =>
      text(JSON.stringify(await elicit(ctx, 'choices', { message: 'Choose.', schema: choices }))),
  ),
];
