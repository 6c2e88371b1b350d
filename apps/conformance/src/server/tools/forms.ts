import type { Field } from 'rxmcp/elicitation';
import {
  choiceField,
  choicesField,
  elicit,
  form,
  integerField,
  numberField,
  textField,
  yesNoField,
} from 'rxmcp/elicitation';
import type { Tool } from 'rxmcp/tools';
import { text, tool } from 'rxmcp/tools';

const defaults = form({
  name: textField({ default: 'John Doe' }),
  age: integerField({ default: 30 }),
  score: numberField({ default: 95.5 }),
  status: choiceField(['active', 'inactive', 'pending'], { default: 'active' }),
  verified: yesNoField({ default: true }),
});

const options = ['option1', 'option2', 'option3'] as const;
const titled = { value1: 'First value', value2: 'Second value', value3: 'Third value' };
/** Titles as 2025-06-18 has them; no field is made so any more. */
const legacy: Field<string> = {
  json: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
  optional: false,
};

const choices = form({
  untitledSingle: choiceField(options),
  titledSingle: choiceField(titled),
  legacyEnum: legacy,
  untitledMulti: choicesField(options),
  titledMulti: choicesField(titled),
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
