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

/**
 * A field of a form.
 * @see Schema 2026-07-28 PrimitiveSchemaDefinition
 */
export type FormField = StringField | NumberField | BooleanField | EnumField | MultiSelectField;

/**
 * A flat form in its wire format.
 * @see Schema 2026-07-28 ElicitRequestFormParams.requestedSchema
 */
export interface FormSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, FormField>>;
  readonly required?: readonly string[];
}

/** The value of a field of a form. */
export type FieldValue = string | number | boolean | readonly string[];

/** A filled form. */
export type FormContent = Readonly<Record<string, FieldValue>>;

/**
 * A form as the client's handler returns it: a missing field gets its default; a field with the value
 * undefined was left empty on purpose.
 */
export type FilledForm = Readonly<Record<string, FieldValue | undefined>>;

/** The person's answer to a form. */
export type ElicitResult<T = FormContent> =
  | { readonly action: 'accept'; readonly content: T }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** Something that a person should know before they answer. */
export interface ElicitWarning {
  /**
   * `NOT_HTTPS`: others on the network can read and change the page. `PUNYCODE`: the host may look like another one.
   * `CREDENTIALS`: the URL has a user name, which may look like a host. `ASKS_SECRET`: a field of a form asks for a password, key
   * or similar, which no server may do.
   */
  readonly code: 'NOT_HTTPS' | 'PUNYCODE' | 'CREDENTIALS' | 'ASKS_SECRET';
  /** For people. */
  readonly message: string;
}

/** A request of a server to fill a form. `ctx.caller.info` has the server's own name. */
export interface ElicitRequest {
  readonly message: string;
  readonly requestedSchema: FormSchema;
  readonly warnings: readonly ElicitWarning[];
  readonly [member: string]: unknown;
}

/** A request of a server to open a page. `ctx.caller.info` has the server's own name. */
export interface ElicitUrlRequest {
  readonly message: string;
  /** The whole URL, `http:` or `https:`, in ASCII, as a browser would open it. Show all of it, and do not fetch it. */
  readonly url: string;
  /** The host with the port; highlight it. */
  readonly host: string;
  readonly warnings: readonly ElicitWarning[];
  /**
   * Resolves when the server reports that the person has finished there; never rejects. Only 2025-11-25 has this notification,
   * and servers need not send it.
   */
  readonly completed?: Promise<void>;
  readonly [member: string]: unknown;
}

/** The person's answer to a URL. `accept` means that they agreed to open it, not that they completed anything there. */
export interface ElicitUrlResult {
  readonly action: 'accept' | 'decline' | 'cancel';
}

/** Shows a form to a person and returns their answer. */
export type ElicitationHandler = (
  request: ElicitRequest,
  ctx: Context,
) => HandlerResult<ElicitResult<FilledForm>>;

/**
 * Shows a URL to a person and opens it once they agree. It must show the whole URL, must not open it without consent, and must
 * not fetch anything of it.
 */
export type ElicitUrlHandler = (request: ElicitUrlRequest, ctx: Context) => HandlerResult<ElicitUrlResult>;
