export { elicit, elicitUrl, type ElicitParams, type ElicitUrlParams } from './elicit.js';
export { offerElicitation, type ElicitationHandlers } from './offer-elicitation.js';
export { describeUrl } from './web-url.js';
export { fieldChoices, validateField, type Choice } from './validate-form.js';
export {
  enumField,
  multiSelectField,
  form,
  integerField,
  numberField,
  optional,
  stringField,
  booleanField,
} from './form.js';
export type { Field, Form, FormValue } from './form.js';
export type {
  BooleanField,
  EnumField,
  MultiSelectField,
  ElicitationHandler,
  ElicitRequest,
  ElicitResult,
  ElicitWarning,
  FieldValue,
  FilledForm,
  FormContent,
  FormField,
  FormSchema,
  NumberField,
  StringField,
  ElicitUrlHandler,
  ElicitUrlRequest,
  ElicitUrlResult,
} from './types.js';
