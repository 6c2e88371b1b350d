import type { CallerIdentity } from '@rxmcp/transport/guard';

/** How long a ticket may be used, in seconds. */
export const ticketSeconds = 30;
const maxTickets = 10_000;
/** How many tickets a principal may have; a further one replaces its oldest. */
const maxOwn = 16;
const idBytes = 32;

interface Ticket {
  readonly caller: CallerIdentity;
  readonly origin: string | undefined;
  readonly until: number;
}

/** Credentials for one upgrade of a page, which cannot send its own with it. Each is for one caller and one origin. */
export class Tickets {
  // In the order of their ends.
  readonly #open = new Map<string, Ticket>();

  /** Returns a new ticket; `undefined` where there are too many. */
  issue(caller: CallerIdentity, origin: string | undefined): string | undefined {
    const now = Date.now();
    const own: string[] = [];
    for (const [id, ticket] of this.#open) {
      if (ticket.until <= now) this.#open.delete(id);
      else if (ticket.caller.principal === caller.principal) own.push(id);
    }
    if (own.length >= maxOwn) this.#open.delete(own[0] ?? '');
    if (this.#open.size >= maxTickets) return undefined;
    const id = Buffer.from(crypto.getRandomValues(new Uint8Array(idBytes))).toString('base64url');
    this.#open.set(id, { caller, origin, until: now + ticketSeconds * 1_000 });
    return id;
  }

  /** Uses up a ticket. Returns its caller; `undefined` where it is unknown, too old or of another origin. */
  take(id: string, origin: string | undefined): CallerIdentity | undefined {
    const ticket = this.#open.get(id);
    this.#open.delete(id);
    const isValid = ticket !== undefined && ticket.until > Date.now() && ticket.origin === origin;
    return isValid ? ticket.caller : undefined;
  }
}

const prefix = 'mcp.ticket.';

/** Returns the ticket among the subprotocols of an upgrade, if there is one. */
export function ticketIn(protocols: string | undefined): string | undefined {
  const offered = protocols?.split(',').map((name) => name.trim()) ?? [];
  return offered.find((name) => name.startsWith(prefix))?.slice(prefix.length);
}
