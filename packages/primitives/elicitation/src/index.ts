export { elicit } from './use.js';
export type { ElicitParams } from './use.js';
export { offerElicitation } from './offer.js';
export type { ElicitationHandler } from './offer.js';
export {
  choiceField,
  choicesField,
  form,
  integerField,
  numberField,
  optional,
  textField,
  yesNoField,
} from './form.js';
export type { Field, Form, FormValue } from './form.js';
export type {
  BooleanField,
  ChoiceField,
  ChoicesField,
  ElicitRequest,
  ElicitResult,
  FieldValue,
  FormContent,
  FormField,
  FormSchema,
  NumberField,
  StringField,
} from './types.js';
