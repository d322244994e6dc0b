import { createHmac, createSecretKey } from 'node:crypto'

const longestExcerpt = 180

/**
 * Creates the digest function for messages: 16 hexadecimal digits, equal for equal messages. The digest is
 * keyed: without the secret, a guess at a message cannot be confirmed.
 */
export function createPromptHash(secret: string) {
  const key = createSecretKey(secret, 'base64url')
  return (message: string): string => createHmac('sha256', key).update(message).digest('hex').slice(0, 16)
}

/** Returns the beginning of a message on one line. */
export const promptExcerpt = (message: string): string =>
  message
    .slice(0, 10 * longestExcerpt)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longestExcerpt)
