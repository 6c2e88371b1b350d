import type { Context, HandlerResult } from '@rxmcp/core';

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
export interface EnumField {
  readonly type: 'string';
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly enumNames?: readonly string[];
  readonly oneOf?: readonly { readonly const: string; readonly title: string }[];
  readonly default?: string;
}

/** Some of several strings (since 2025-11-25). */
export interface MultiSelectField {
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
export type FormField = StringField | NumberField | BooleanField | EnumField | MultiSelectField;

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

/**
 * A form as the client's handler gives it back: a field that is not there gets its default, one that is there with the value
 * undefined was left empty on purpose.
 */
export type FilledForm = Readonly<Record<string, FieldValue | undefined>>;

/** What the person did with a form. */
export type ElicitResult<T = FormContent> =
  | { readonly action: 'accept'; readonly content: T }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** Something that a person should know before they answer. */
export interface ElicitWarning {
  /**
   * `NOT_HTTPS` the url can be read and changed on its way; `PUNYCODE` its host is written in other letters than it may look;
   * `CREDENTIALS` it carries a user name, which may look like a host; `ASKS_SECRET` a field of a form asks for a password, key
   * or the like, which no server may do.
   */
  readonly code: 'NOT_HTTPS' | 'PUNYCODE' | 'CREDENTIALS' | 'ASKS_SECRET';
  /** For people. */
  readonly message: string;
}

/** A form that a server asks to be filled. Which server is in `ctx.caller.info`, as it calls itself. */
export interface ElicitRequest {
  readonly message: string;
  readonly requestedSchema: FormSchema;
  readonly warnings: readonly ElicitWarning[];
  readonly [member: string]: unknown;
}

/** A page that a server asks to be opened. Which server is in `ctx.caller.info`, as it calls itself. */
export interface ElicitUrlRequest {
  readonly message: string;
  /** The whole url, `http:` or `https:`, in ASCII, as a browser would open it. Show all of it; fetch none of it. */
  readonly url: string;
  /** Where it leads, with the port: what to make stand out. */
  readonly host: string;
  readonly warnings: readonly ElicitWarning[];
  /**
   * Resolves when the server reports that the person has finished there; never rejects. Only 2025-11-25 has this notification,
   * and servers need not send it.
   */
  readonly completed?: Promise<void>;
  readonly [member: string]: unknown;
}

/** What the person said to a url. `accept` means that they agreed to open it, not that they did what it is for. */
export interface ElicitUrlResult {
  readonly action: 'accept' | 'decline' | 'cancel';
}

/** Shows a form to a person and says what came of it. */
export type ElicitationHandler = (
  request: ElicitRequest,
  ctx: Context,
) => HandlerResult<ElicitResult<FilledForm>>;

/**
 * Shows a url to a person and opens it once they agree. It must show all of the url, must not open it unasked, and must fetch
 * neither it nor anything of it.
 */
export type ElicitUrlHandler = (request: ElicitUrlRequest, ctx: Context) => HandlerResult<ElicitUrlResult>;
