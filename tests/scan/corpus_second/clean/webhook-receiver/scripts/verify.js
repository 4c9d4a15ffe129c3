import { createHmac, timingSafeEqual } from 'node:crypto';

export function verify(secret, raw, header) {
  const want = Buffer.from('sha256=' + createHmac('sha256', secret).update(raw).digest('hex'));
  const got = Buffer.from(header || '');
  return want.length === got.length && timingSafeEqual(want, got);
}
