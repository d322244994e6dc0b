import { hash, randomBytes, scrypt, type ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'
import * as v from 'valibot'
import { safeEqual, limitConcurrency } from '../../kernel/index.ts'

/** A password, of which only the hash is known. */
export interface Password {
  /** `sha256` is the plain form without salt, which is fast to guess; it logs a warning. */
  readonly form: 'sha256' | 'scrypt'
  /** The normalized hash; everything derived from it becomes invalid when the password changes. */
  readonly fingerprint: string
  matches(guess: string): Promise<boolean>
}

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)
/** The maximum number of parallel derivations; each takes a thread, and 32 MiB with the usual parameters. */
const atOnce = 2
const maxMemoryBytes = 256 * 1024 * 1024
const maxParallel = 16

/** Parses a password hash: sha256 in 64 hexadecimal digits, or `scrypt:N:r:p:salt:hash` with base64. */
export const PasswordHash = v.pipe(
  v.string(),
  v.trim(),
  v.rawTransform<string, Password>(({ dataset, addIssue, NEVER }) => {
    const password = toPassword(dataset.value)
    if (password) return password
    addIssue({
      message:
        'must be 64 hexadecimal digits (sha256) or scrypt:N:r:p:salt:hash; make one with: npx content-orchestrator hash-password',
    })
    return NEVER
  }),
)

function toPassword(text: string): Password | undefined {
  return /^[0-9a-f]{64}$/i.test(text) ? plainPassword(text.toLowerCase()) : saltedPassword(text)
}

function plainPassword(hex: string): Password {
  const matches = async (guess: string): Promise<boolean> => safeEqual(hash('sha256', guess, 'hex'), hex)
  return { form: 'sha256', fingerprint: hex, matches }
}

/** Also accepts `$` between parts, like other tools, although shells and some `.env` parsers expand it. */
const saltedForm = /^scrypt([:$])(\d{1,8})\1(\d{1,3})\1(\d{1,3})\1([\w+/-]{11,}={0,2})\1([\w+/-]{22,}={0,2})$/

function saltedPassword(text: string): Password | undefined {
  const [, , cost, block, parallel, salt = '', key = ''] = saltedForm.exec(text) ?? []
  const N = Number(cost)
  const [r, p] = [Number(block), Number(parallel)]
  const memory = 128 * N * r
  const usable =
    N > 1 && Number.isInteger(Math.log2(N)) && r > 0 && p > 0 && p <= maxParallel && memory <= maxMemoryBytes
  if (!usable) return undefined
  const limited = limitConcurrency(atOnce)
  const expected = Buffer.from(key, 'base64')
  return {
    form: 'scrypt',
    fingerprint: text,
    async matches(guess) {
      const options = { N, r, p, maxmem: 2 * memory + 1024 * 1024 }
      const salted = Buffer.from(salt, 'base64')
      const derived = await limited(() => derive(guess, salted, expected.byteLength, options))
      return safeEqual(derived.toString('hex'), expected.toString('hex'))
    },
  }
}

/** Returns a password that never matches: a service without a password takes as long to refuse as others. */
export function unknownPassword(): Password {
  return plainPassword(randomBytes(32).toString('hex'))
}

/** Hashes a password for `ACCESS_PASSWORD_HASH`: 59 ms and 32 MiB per guess, with 16 bytes of salt. */
export async function toSaltedHash(password: string): Promise<string> {
  const [N, r, p] = [2 ** 15, 8, 1]
  const salt = randomBytes(16)
  const key = await derive(password, salt, 32, { N, r, p, maxmem: maxMemoryBytes })
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join(':')
}

/** Hashes a password in the plain form: sha256 without salt. */
export function toPlainHash(password: string): string {
  return hash('sha256', password, 'hex')
}
