import type { Fetch } from '@rxmcp/transport';
import type { AuthStore } from './store.js';

/** A client that an authorization server knows already. */
export interface KnownClient {
  readonly id: string;
  /** Its secret, if it has one. */
  readonly secret?: string;
  /** Its key for `private_key_jwt`, instead of a secret: a private key of the Web Crypto API. */
  readonly privateKey?: CryptoKey;
  /**
   * The authorization server that knows it, exactly as its metadata names it. Without it, the secret or an assertion of the key is
   * sent to the authorization server that the MCP server names, whichever that is. @default any
   */
  readonly issuer?: string;
}

/** How a person signs in: opens an address, and waits until it leads back. */
export interface Redirect {
  /**
   * Whether this page completes a sign-in that an earlier page began. It is then completed before the next request, also where an
   * earlier token is valid. @default no page does
   */
  isBack?(name: string): boolean;
  /** Begins one sign-in, for which it may ask a person first. `name` is the same for every sign-in to one resource at one authorization server. */
  start(name: string): Promise<RedirectSession> | RedirectSession;
}

/** One sign-in of a person. */
export interface RedirectSession {
  /** Where the authorization server sends the person afterwards. */
  readonly redirectUri: string;
  /** The sign-in that an earlier page began and this page ends: the address that it led to, and the `memo` of its `open`. */
  readonly resumed?: { readonly landed: URL; readonly memo: string };
  /**
   * Opens the address for the person; resolves with the address that it led to. Rejects if the person does not come back. `memo` is
   * secret: a page that is left keeps it for `resumed`.
   */
  open(url: URL, memo: string): Promise<URL>;
  /** Ends the sign-in, in any state. */
  close?(): Promise<void> | void;
}

/** How tokens are had without a person. The default is the authorization code flow, with one. */
export type Grant =
  /** The client itself is the user. RFC 6749 section 4.4. */
  | { readonly type: 'client-credentials' }
  /** The identity provider of an enterprise decides. MCP extension "enterprise-managed authorization". */
  | {
      readonly type: 'enterprise-managed';
      /** The token endpoint of the identity provider. */
      readonly tokenEndpoint: string;
      /** The client as the identity provider knows it. */
      readonly client: KnownClient;
      /** The identity token of the user. Asked for again for each grant. */
      readonly idToken: () => Promise<string> | string;
    }
  /** The platform that a workload runs on vouches for it. RFC 7523 section 2.1. */
  | {
      readonly type: 'workload-identity';
      /**
       * Returns the assertion of the platform for a resource, which the authorization server `issuer` gets. The MCP server names both:
       * throw for those that must not have it. Called for each grant.
       */
      readonly assertion: (audience: {
        readonly issuer: string;
        readonly resource: string;
      }) => Promise<string> | string;
    };

/** What a client is registered with where no authorization server knows it. RFC 7591. */
export interface ClientMetadata {
  /** The name that people see. @default 'MCP client' */
  readonly client_name?: string;
  readonly client_uri?: string;
  readonly logo_uri?: string;
}

/** Options of `oauth`. */
export interface OAuthOptions {
  /** How a person signs in, such as `loopbackRedirect()` of `@rxmcp/auth/node`. Needed for the authorization code flow. */
  readonly redirect?: Redirect;
  /** Clients that authorization servers know already. @default none */
  readonly clients?: readonly KnownClient[];
  /** The address of a Client ID Metadata Document, used where the authorization server supports it. @default none */
  readonly clientMetadataUrl?: string;
  /** For dynamic registration, where nothing else is known. */
  readonly clientMetadata?: ClientMetadata;
  /** How tokens are had. @default the authorization code flow */
  readonly grant?: Grant;
  /**
   * The scopes to request instead of those that the metadata of the server names. With a `grant`, no others are ever requested. A
   * person who signs in is also asked for the scopes that a 401 or 403 names. @default those that the server names
   */
  readonly scopes?: readonly string[];
  /** Keeps tokens and registrations. @default in memory */
  readonly store?: AuthStore;
  /** Whether tokens are bound to a key (RFC 9449). The key is kept in memory only, so that tokens are not kept. @default false */
  readonly dpop?: boolean;
  /** Sends the requests of the sign-in. @default node:http in Node, otherwise globalThis.fetch */
  readonly fetch?: Fetch;
}

/** Options of `signIn`. The sign-in before is kept if the new one fails. */
export interface SignInOptions {
  /** Whether to sign in anew where that is not needed. @default false */
  readonly again?: boolean;
  /** Scopes that are needed in addition: signs in anew where the token lacks one of them. @default none */
  readonly scopes?: readonly string[];
}
