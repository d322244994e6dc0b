import { hash, timingSafeEqual } from 'node:crypto'

/**
 * Compares a text with a secret in constant time.
 *
 * Digests are compared, not the texts: they all have the same length, and the position
 * where two digests differ reveals nothing about the texts.
 */
export function safeEqual(given: string, secret: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', secret, 'buffer'))
}
