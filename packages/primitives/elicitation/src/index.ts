export { elicit } from './use.js';
export type { ElicitParams } from './use.js';
export { elicitUrl } from './use-url.js';
export type { ElicitUrlParams } from './use-url.js';
export { offerElicitation } from './offer.js';
export type { ElicitationHandlers } from './offer.js';
export { urlToShow } from './web-url.js';
export { choicesOf } from './choices.js';
export type { Choice } from './choices.js';
export { fieldProblem } from './content-issues.js';
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
  ElicitWarning,
  ElicitationHandler,
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
