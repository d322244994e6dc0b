import { hash, timingSafeEqual } from 'node:crypto'

/**
 * Compares a text with a secret in a time that tells nothing about either.
 *
 * Digests are compared, not the texts: they have one length whatever the texts have, and where two digests
 * differ says nothing about where the texts do.
 */
export function safeEqual(given: string, secret: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', secret, 'buffer'))
}
