export { elicit, elicitUrl } from './use.js';
export type { ElicitParams, ElicitUrlParams } from './use.js';
export { offerElicitation } from './offer.js';
export type { ElicitationHandlers } from './offer.js';
export { urlToShow } from './web-url.js';
export { choicesOf, fieldProblem } from './validate-form.js';
export type { Choice } from './validate-form.js';
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
  UrlHandler,
  UrlRequest,
  UrlResult,
} from './types.js';
