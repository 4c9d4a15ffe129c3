// thin wrapper round fetch used by generated clients
export class ApiError extends Error {
  constructor(public status: number, public code: string, message: string) { super(message); }
}
export async function call<T>(path: string, init: RequestInit = {}): Promise<T> {
  const base = process.env.API_BASE ?? process.env.STRIPE_API_BASE;
  const r = await fetch(base + path, { ...init, signal: AbortSignal.timeout(10_000) });
  if (!r.ok) throw new ApiError(r.status, r.statusText, await r.text());
  return r.json() as Promise<T>;
}
