/** Text. */
export interface StringField {
  readonly type: 'string';
  readonly title?: string;
  readonly description?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: 'email' | 'uri' | 'date' | 'date-time';
  readonly default?: string;
}

/** A number. */
export interface NumberField {
  readonly type: 'number' | 'integer';
  readonly title?: string;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}

/** Yes or no. */
export interface BooleanField {
  readonly type: 'boolean';
  readonly title?: string;
  readonly description?: string;
  readonly default?: boolean;
}

/** One of several strings; titles by `oneOf`, or by `enumNames` as 2025-06-18 has them. */
export interface ChoiceField {
  readonly type: 'string';
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly enumNames?: readonly string[];
  readonly oneOf?: readonly { readonly const: string; readonly title: string }[];
  readonly default?: string;
}

/** Some of several strings (since 2025-11-25). */
export interface ChoicesField {
  readonly type: 'array';
  readonly title?: string;
  readonly description?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items:
    | { readonly type: 'string'; readonly enum: readonly string[] }
    | { readonly anyOf: readonly { readonly const: string; readonly title: string }[] };
  readonly default?: readonly string[];
}

/** What one entry of a form may be (schema 2026-07-28 PrimitiveSchemaDefinition). */
export type FormField = StringField | NumberField | BooleanField | ChoiceField | ChoicesField;

/** A flat form as it travels (schema 2026-07-28 ElicitRequestFormParams.requestedSchema). */
export interface FormSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, FormField>>;
  readonly required?: readonly string[];
}

/** What a field of a form can hold. */
export type FieldValue = string | number | boolean | readonly string[];

/** A filled form. */
export type FormContent = Readonly<Record<string, FieldValue>>;

/** What the person did with a form. */
export type ElicitResult<T = FormContent> =
  | { readonly action: 'accept'; readonly content: T }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** A form that a server asks to be filled. */
export interface ElicitRequest {
  readonly message: string;
  readonly requestedSchema: FormSchema;
  readonly [member: string]: unknown;
}
