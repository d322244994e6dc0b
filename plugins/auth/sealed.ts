import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Store } from '../store/port.ts'
import { keptSecret } from './stored-secret.ts'

/** Secrets of others, such as of a website, as the store has them. */
export interface Sealer {
  /** Encrypts a text for one owner. */
  seal(text: string, owner: string): Promise<string>
  /**
   * Returns the text; `undefined` if it was sealed for another owner or by another installation, or altered.
   */
  open(sealed: string, owner: string): Promise<string | undefined>
}

const cipher = 'aes-256-gcm'
const [nonceBytes, tagBytes] = [12, 16]

/** Seals with a key of this installation for a purpose, which is generated on first use. */
export function createSealer(store: Store, purpose: string): Sealer {
  let key: Promise<Buffer> | undefined
  const keyOf = (): Promise<Buffer> =>
    (key ??= keptSecret(store, purpose).then(
      (secret) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)),
      (error: unknown) => {
        key = undefined
        throw error
      },
    ))
  return {
    async seal(text, owner) {
      const nonce = randomBytes(nonceBytes)
      const sealing = createCipheriv(cipher, await keyOf(), nonce).setAAD(Buffer.from(owner))
      const parts = [sealing.update(text, 'utf8'), sealing.final()]
      return Buffer.concat([nonce, sealing.getAuthTag(), ...parts]).toString('base64url')
    },
    async open(sealed, owner) {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < nonceBytes + tagBytes) return undefined
      const start = nonceBytes + tagBytes
      const opening = createDecipheriv(cipher, await keyOf(), bytes.subarray(0, nonceBytes))
      opening.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(nonceBytes, start))
      try {
        return Buffer.concat([opening.update(bytes.subarray(start)), opening.final()]).toString()
      } catch {
        return undefined
      }
    },
  }
}
