import type { Offer, Remote } from 'rxmcp';
import { defineClient } from 'rxmcp';
import { http } from 'rxmcp/http';
import type { Setting } from './setting.js';

/** Connects in the revision of the scenario, does something and leaves. */
export async function atServer(
  { url, version }: Setting,
  act: (remote: Remote) => Promise<unknown>,
  offers: readonly Offer[] = [],
): Promise<void> {
  const info = { name: 'rxmcp-conformance', version: '1.0.0' };
  const remote = await defineClient({ info, offers, versions: [version] }).connect(http(url));
  try {
    await act(remote);
  } finally {
    await remote.close();
  }
}
