import { hash, timingSafeEqual } from 'node:crypto'

/**
 * Compares a text with a secret in constant time.
 *
 * Compares their digests, which all have the same length: the position where two digests differ reveals
 * nothing about the texts.
 */
export function safeEqual(given: string, secret: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', secret, 'buffer'))
}
