// The process itself, its pipes and the connections that open the sessions.
const spare = 250;

/** How many sockets a process may hold here, beside what it needs anyway. */
export function openableSockets(): number {
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft?: number | string } };
  };
  const limit = Number(userLimits?.open_files?.soft);
  return Number.isFinite(limit) ? Math.max(0, limit - spare) : Number.POSITIVE_INFINITY;
}
